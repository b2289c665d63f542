//===- Session.h - A set of probes at work ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The results of the options of one start or attach: probes, pipeline, filter.
/// Knows no JVM.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_ATTACH_SESSION_H
#define JOPT_AGENT_ATTACH_SESSION_H

#include "jopt/Advice/Matcher.h"
#include "jopt/Agent/Attach/Options.h"
#include "jopt/Agent/Hook/ClassFilter.h"
#include "jopt/Agent/Hook/WeaveCache.h"
#include "jopt/Coverage/EdgeProfile.h"
#include "jopt/Probes/ProbeBundle.h"
#include "jopt/TF/Program.h"
#include "jopt/Verify/TypeHierarchy.h"
#include "jopt/Weave/Settings.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include <functional>
#include <map>
#include <memory>

namespace jopt {
struct LoadedProbes;
}

namespace jopt::agent {

/// How weave() is to change a class.
struct WeaveMode {
  /// The class is there already, so that its members must stay.
  bool Loaded = false;
  Dispatch How = Dispatch::Direct;
  /// Where classes get stage 2 of the tracing facility only while somebody
  /// monitors them (Session::tracesOnDemand): this one gets it.
  bool Traced = true;
  /// The registry that knows who monitors what; it gets no probes.
  bool Registry = false;
  /// Probes that it does not get: it was woven with them already, and they
  /// cannot run there.
  llvm::BitVector Without = {};
  /// The known ancestors of the class, as in MatchClass.
  const MemoryHierarchy *Ancestry = nullptr;
  /// Elements of its coverage that it need not store any more.
  llvm::BitVector Known = {};
};

/// A probe class that the program registered; it stands where it was loaded.
struct RegisteredProbe {
  AdviceSet Advices; ///< of its one probe
  /// By which hosts call it: its internal name, and a number that no other
  /// registration has.
  std::string Owner;
  /// By which those do that can have no call sites; AdviceBody.
  std::string Stub;
  int32_t Token = 0;

  llvm::StringRef name() const { return Advices.Probes.front().Name; }
};

/// Immutable after create(), so that any number of threads may weave at once;
/// shared by them, and gone when the last has finished.
class Session {
public:
  /// Facts about the JVM and the program in it.
  struct Surroundings {
    std::string JavaHome; ///< where to look for javac first
    unsigned Release = 8; ///< the JVM's: 17, 25
    /// The program runs already: nobody expects it to fail now.
    bool IsAttached = false;
    std::vector<std::string> ClassPath; ///< what fragments may refer to
    /// More of it, which takes time to find: asked where fragments do not
    /// compile without.
    std::function<std::vector<std::string>()> FurtherPath;
    /// Internal names of those of earlier probes, which never get any.
    std::vector<std::string> ProbeClasses;
    PlaceNumbers *Numbers = nullptr; ///< of places that count; outlive it
  };

  /// Reads and compiles the probes of \p Options. The error holds every
  /// finding; warnings go to \p Diags.
  static llvm::Expected<std::shared_ptr<const Session>>
  create(const AgentOptions &Options, const Surroundings &Around,
         DiagnosticEngine &Diags);

  /// The choices of a session besides its options.
  struct Choice {
    /// More modes, which count before those of the options.
    std::vector<std::string> Modes;
    std::vector<const RegisteredProbe *> Registered;
    /// Only probe classes, nothing else of the files.
    bool OnlyClasses = false;
  };
  /// \p Base with other probe classes of its files switched on, and with those
  /// of a program, which are copied. Reads no file.
  static llvm::Expected<std::shared_ptr<const Session>>
  choose(const Session &Base, const Choice &C);

  /// \p Base without the probes of its files for which \p Leaves is true, and
  /// with the probes of \p More, if it is not null; these replace probes of the
  /// same names. Everything else is that of \p Base, and probe classes that
  /// stay are the same objects. Fails if both have a class of one name and
  /// different content.
  static llvm::Expected<std::shared_ptr<const Session>>
  change(const Session &Base, const Session *More,
         llvm::function_ref<bool(const Probe &)> Leaves);

  /// With what the probes and the surroundings decide: the guard, the class
  /// path of fragments, the names of annotations.
  const AgentOptions &options() const { return Options; }
  const ProbeBundle &bundle() const { return Bundle; }
  const Matcher &matcher() const { return *Match; }
  const ClassFilter &filter() const { return *Filter; }
  /// All probes of its files, those that are off too.
  const ProbeBundle &files() const { return *Given.Files; }
  /// The modes that options gave, whatever a class path made of them.
  llvm::ArrayRef<std::string> givenModes() const {
    return llvm::ArrayRef(Options.Weave.Modes).drop_front(Given.PathModes);
  }
  /// The matcher of the probes that the program registered; null: there are
  /// none.
  const Matcher *registered() const { return Registered.Match.get(); }
  /// How many of the probes, the first, are not registered.
  size_t countOfFiles() const {
    return Bundle.Advices.Probes.size() - Registered.Advices.Probes.size();
  }
  /// There is nothing to do in any class.
  bool isIdle() const {
    return Bundle.Advices.empty() && !Tracing && !covers();
  }
  /// Classes record which code they run.
  bool covers() const { return Options.Weave.Coverage.has_value(); }

  /// Some methods may be traced in a class with this constant pool, or class
  /// file. False is certain.
  bool mayTrace(Bytes Pool) const { return annotationsIn(Pool).any(); }
  /// Which annotations, by number, may be those of such methods.
  llvm::SmallBitVector annotationsIn(Bytes Pool) const;

  /// Classes get stage 2 of the tracing facility while somebody monitors them,
  /// and only then; \p Name is the registry that knows of that.
  bool tracesOnDemand() const {
    return Tracing && Options.Weave.Idle == TracingIdle::None;
  }
  bool isRegistry(llvm::StringRef Name) const {
    return tracesOnDemand() &&
           Name == Tracing->Library.runtime("MethodMonitorRegistry");
  }
  /// The program of the tracing facility; null: none.
  const tf::Program *tracing() const { return Tracing ? &*Tracing : nullptr; }

  /// The class file \p Data with its probes. Fails if it is none. With \p
  /// KeptRows an earlier JVM may have made it (WeaveCache): its rows are there
  /// then, packed (ReportStore), instead of in the outcome.
  llvm::Expected<ClassOutcome>
  weave(Bytes Data, const WeaveMode &Mode,
        std::optional<std::string> *KeptRows = nullptr) const;
  /// \p Data with the members that weave() gives a class that is not loaded
  /// yet, and no more of what runs in its methods than they need.
  llvm::Expected<ClassOutcome>
  addMembers(Bytes Data, Dispatch How, const MemoryHierarchy *Ancestry) const;

  /// Classes get members that they must keep.
  bool addsMembers(Dispatch How) const {
    return Tracing || (Options.Weave.Schema == SchemaPolicy::Change &&
                       How == Dispatch::Direct);
  }

  /// Classes record that, and nothing else is done in them.
  bool onlyCovers() const {
    return covers() && Bundle.Advices.empty() && !Tracing;
  }
  /// Classes record what they do by themselves, without any probe's code.
  bool records() const { return hasTrace(Bundle.Advices) || covers(); }

  /// Classes of probes print lines for a client that follows.
  bool printsForClients() const;
  /// Classes of probes measure with what is in `jopt.probe`.
  bool measures() const;
  /// Who follows wants to know what the probes cost: a one-liner.
  bool asksForCost() const;
  /// They read the variables of frames.
  bool readsFrames() const;
  /// Some fragment gets what depends on the order of a class's methods.
  bool needsMethodOrder() const;
  /// Classes of its bundle may count exceptions that are kept from the program.
  bool countsFailures() const;
  /// Some class may ask for what is in `jopt.boot` (runtime/boot).
  bool usesLink() const {
    // Loaded classes keep their schema whatever the policy is.
    return !Members.Set.Advices.empty() || records() || Options.CountPlaces ||
           llvm::any_of(Members.Set.Probes,
                        [](const Probe &P) { return !P.StaticField.empty(); });
  }
  /// The class file \p Data has a static initialiser, and its probes have
  /// fragments for that.
  bool putsIntoInitializer(Bytes Data,
                           const TypeHierarchy *Ancestry = nullptr) const;

  /// Both make the same of every class.
  bool equals(const Session &Other) const {
    return askForSameBytes(Options.Weave, Other.Options.Weave) &&
           AdviceText == Other.AdviceText;
  }

  /// The options with which `jopt` does what weave() does, one to a line, as
  /// its response files have them.
  std::string joptOptions(const WeaveMode &Mode) const;

  /// Methods of the class file \p Data with probes that HotSpot replaces by
  /// code of its own, so that their bytecode is skipped: name and descriptor.
  std::vector<std::string>
  probedIntrinsics(Bytes Data, const TypeHierarchy *Ancestry = nullptr) const;

private:
  /// Why the agent handles a class.
  enum class Purpose {
    Weave,   ///< it gets its probes
    Members, ///< it gets the members for them
    Watch,   ///< it is the registry, and tells the agent
  };
  struct Work {
    Pipeline Passes;
    ClassWork Class;
    std::vector<std::string> Settings; ///< that say what is done
    KeyHash Key;                       ///< begins those of its results
  };

  Session() = default;
  llvm::Error compileProbes(const Surroundings &Around,
                            DiagnosticEngine &Diags);
  void addClassPath(DiagnosticEngine &Diags);
  void take(const Choice &C);
  llvm::Error finish();
  llvm::Error compile(LoadedProbes &Loaded, const Surroundings &Around,
                      DiagnosticEngine &Diags);
  llvm::Error dumpBundle();
  llvm::Error readTracing();
  void findMembers();
  /// The settings of jopt with which it does \p For as \p Mode says.
  WeaveSettings settingsFor(Purpose For, const WeaveMode &Mode) const;
  /// Works holds no more than one for each \p For and mode that differ in it.
  static unsigned indexOf(Purpose For, const WeaveMode &Mode);
  llvm::Error makeWork(Purpose For, const WeaveMode &Mode);
  llvm::Error openCache();
  KeyHash keyOf(Purpose For, Bytes Data, const WeaveMode &Mode) const;
  llvm::Expected<ClassOutcome> run(Purpose For, Bytes Data,
                                   const WeaveMode &Mode) const;

  AgentOptions Options;
  /// The parts that sessions made of one have in common.
  struct {
    std::shared_ptr<const ProbeBundle> Files;
    size_t PathModes = 0; ///< the first of the modes: of addClassPath()
    std::vector<std::string> OwnClasses; ///< Surroundings::ProbeClasses
    /// An archive of Files in the dump's folder: of change(), whose probes no
    /// one run has from files.
    std::string Bundle;
    PlaceNumbers *Numbers = nullptr; ///< Surroundings::Numbers
  } Given;
  ProbeBundle Bundle;
  /// The probes of Bundle that the program registered.
  struct {
    AdviceSet Advices;
    std::unique_ptr<Matcher> Match;
  } Registered;
  /// Of Bundle.Advices, whoever registered them: for marks.
  std::vector<uint64_t> Identities;
  PassRegistry Registry;
  /// The program of the tracing facility, if there is one.
  std::optional<tf::Program> Tracing;
  std::optional<coverage::EdgeProfile> Profile;
  std::vector<std::string> Annotations; ///< their descriptors
  ClassBytes Callees;
  std::unique_ptr<Matcher> Match;
  std::unique_ptr<ClassFilter> Filter;
  std::string AdviceText;
  struct {
    std::map<unsigned, Work> Works;   ///< by indexOf
    std::unique_ptr<WeaveCache> Kept; ///< what came of them; null: no cache=
  } Weaving;
  /// The input of addMembers(): the advices of static initialisers.
  struct {
    AdviceSet Set;
    std::unique_ptr<Matcher> Match;
  } Members;
};

} // namespace jopt::agent

#endif
