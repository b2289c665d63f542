//===- Containers.cpp - Over all entries of the inputs --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main thread opens the input files in order and queues their entries;
// workers read, transform and pack them, and record the result at the entry;
// the main thread finishes each file when its last entry is done, again in
// order, and does what they do while it would wait for them, so that one thread
// needs no worker. Since results are recorded by place, the order in which the
// workers happen to run does not show.
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Containers.h"
#include "WalkTasks.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/HelperThreads.h"
#include "jopt/Support/Interrupt.h"
#include "llvm/ADT/Twine.h"
#include <condition_variable>
#include <deque>
#include <list>
#include <thread>

using namespace jopt;
using namespace jopt::walk;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::Twine;

using Kind = ContainerInfo::Kind;

/// Input files that are open at one time: enough to keep workers busy with
/// small files, and far below the usual limit of open files.
static constexpr size_t Window = 64;

/// Tasks that a thread takes at a time, where there are many: threads that make
/// files in one folder wait for each other, so they are to be in different
/// ones.
static constexpr uint64_t MostTaken = 32;

namespace {
class ContainerWalk {
public:
  ContainerWalk(const InputSet &In, ContainerClient &Client, OutputSet *Out,
                const ProcessOptions &Options)
      : In(In), Client(Client), Out(Out), Options(Options) {}

  Error run();

private:
  // Main thread.
  void openInput(unsigned Index);
  Error openFile(OpenFile &F, unsigned InputIndex, size_t FileIndex);
  Error openArchive(OpenFile &F, ContainerNode &Node, ByteRange Content);
  Error openInner(OpenFile &F, ContainerNode &Outer, size_t Index);
  Error spend(OpenFile &F, uint64_t Size, const std::string &Display);
  Error ask(const EntryInfo &Info, Error Why);
  void queue(OpenFile &F, ContainerNode &Node, size_t Index);
  void finishOldest();
  Error finishFile(OpenFile &F);
  Error finishNode(OpenFile &F, ContainerNode &Node);
  Error finishInner(OpenFile &F, ContainerNode &Node);
  void waitFor(OpenFile &F);
  Error finishFolder(ContainerNode &Node);

  // Workers, and the main thread where it would wait for them.
  void work();
  TaskRun takeNext();
  void doNext(std::unique_lock<std::mutex> &Guard,
              SmallVectorImpl<uint8_t> &Buffer);
  Error process(const Task &T, SmallVectorImpl<uint8_t> &Buffer);
  Expected<EntryView::Seen> look(const Task &T, const EntryInfo &Info,
                                 Bytes Data) const;
  Error settle(const Task &T, Bytes Old, EntryView::Seen Seen, EntryResult New);
  Error record(const Task &T, EntryResult New, bool ByTransform);
  Error writeToFolder(const Task &T, Bytes Content, bool IsOld,
                      bool ByTransform);

  void fail(Place At, Error E);
  bool failedBefore(Place At);

  const InputSet &In;
  ContainerClient &Client;
  OutputSet *const Out;
  const ProcessOptions &Options;
  const size_t Count =
      Options.Threads ? Options.Threads : std::thread::hardware_concurrency();

  /// Set once the client insisted on an error: it is not asked again.
  bool Insisted = false;
  unsigned NextId = 0;
  uint64_t NextOrdinal = 0;
  Place Now; ///< where opening is
  std::deque<std::unique_ptr<OpenFile>> Open;
  /// Begun when there is something for them besides the main thread's task.
  HelperThreads Workers{[this] { work(); }};

  /// What workers share with the main thread; only with Lock.
  struct {
    std::deque<TaskRun> Queue;
    uint64_t Queued = 0; ///< tasks in it
    uint64_t Done = 0;
    bool Closed = false;
    std::optional<Place> FailedAt;
    std::optional<Error> Failure;
  } Shared;
  std::mutex Lock;
  std::condition_variable HasWork, HasProgress;
};

} // namespace

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

void ContainerWalk::fail(Place At, Error E) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Shared.FailedAt && !(At < *Shared.FailedAt)) {
    llvm::consumeError(std::move(E));
    return;
  }
  if (Shared.Failure)
    llvm::consumeError(std::move(*Shared.Failure));
  Shared.FailedAt = At;
  Shared.Failure.emplace(std::move(E));
}

/// Work behind a failure is useless; work before it may bring one that must be
/// reported instead.
bool ContainerWalk::failedBefore(Place At) {
  std::lock_guard<std::mutex> Guard(Lock);
  return Shared.FailedAt && *Shared.FailedAt < At;
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

void ContainerWalk::work() {
  SmallVector<uint8_t, 0> Buffer;
  std::unique_lock<std::mutex> Guard(Lock);
  while (true) {
    HasWork.wait(Guard, [&] { return Shared.Closed || !Shared.Queue.empty(); });
    if (Shared.Queue.empty())
      return;
    doNext(Guard, Buffer);
  }
}

/// The first tasks of the queue, which has one, but few of the last ones; with
/// the lock.
TaskRun ContainerWalk::takeNext() {
  TaskRun &First = Shared.Queue.front();
  TaskRun Taken = First;
  Taken.Count = std::clamp(Shared.Queued / (4 * Count), uint64_t(1),
                           std::min(First.Count, MostTaken));
  Shared.Queued -= Taken.Count;
  First.drop(Taken.Count);
  if (!First.Count)
    Shared.Queue.pop_front();
  return Taken;
}

/// Does the first tasks of the queue, which has one, without the lock.
void ContainerWalk::doNext(std::unique_lock<std::mutex> &Guard,
                           SmallVectorImpl<uint8_t> &Buffer) {
  TaskRun R = takeNext();
  const Task &T = R.Next;
  const uint64_t Taken = R.Count;
  Guard.unlock();
  if (T.Inner) {
    T.Inner->Result.emplace(
        pack(T.Inner->Content, T.Inner->Method, *T.Node->Spill));
    T.Inner->Content = {};
    Guard.lock();
  } else {
    for (; R.Count; R.drop(1)) {
      if (failedBefore(T.At))
        continue;
      Error E = interrupted() ? makeError("interrupted") : process(T, Buffer);
      if (E)
        fail(T.At, std::move(E));
      // A rare large entry is not held on to.
      if (Buffer.capacity() > (1u << 20))
        Buffer = SmallVector<uint8_t, 0>();
    }
    Guard.lock();
    Shared.Done += Taken;
  }
  if (!(T.File->Pending -= Taken))
    HasProgress.notify_one();
}

Error ContainerWalk::process(const Task &T, SmallVectorImpl<uint8_t> &Buffer) {
  EntryInfo Info = T.Node->entry(T.Index);
  Info.Ordinal = T.Ordinal;
  if (Error E = T.Node->read(T.Index, Options.Limits.MaxEntry, Buffer,
                             Client.wantedBytes()))
    return Client.unreadable(Info, std::move(E));
  Expected<EntryView::Seen> Seen = look(T, Info, Buffer);
  if (!Seen)
    return Client.unreadable(Info, inFile(Seen.takeError(), Info.display()));
  if (Seen->Gone) {
    if (Out)
      T.Node->Changes.drop(T.Index);
    return Error::success();
  }
  Expected<EntryResult> R = Client.transform(
      Info, Seen->Content ? Bytes(*Seen->Content) : Bytes(Buffer));
  if (!R)
    return inFile(R.takeError(), Info.display());
  return settle(T, Buffer, std::move(*Seen), std::move(*R));
}

Expected<EntryView::Seen>
ContainerWalk::look(const Task &T, const EntryInfo &Info, Bytes Data) const {
  if (!In.view() || Data.size() != Info.Size)
    return EntryView::Seen();
  auto Seen = In.view()->look(Info, Data);
  if (Seen && T.Node->Info.TheKind == Kind::File)
    Seen->Gone = false;
  return Seen;
}

/// Stores the client's result \p New for an entry whose content was \p Old.
Error ContainerWalk::settle(const Task &T, Bytes Old, EntryView::Seen Seen,
                            EntryResult New) {
  const Bytes Shown = Seen.Content ? Bytes(*Seen.Content) : Old;
  const bool ByTransform =
      New.Changed && !(New.NewName.empty() && Bytes(New.Data).equals(Shown));
  const bool IsFolder = T.Node->Info.TheKind == Kind::Folder;
  if (!ByTransform && !Seen.Content)
    return Out && IsFolder
               ? writeToFolder(T, Old, /*IsOld=*/true, /*ByTransform=*/false)
               : Error::success();
  if (!ByTransform)
    New = EntryResult::replaced(std::move(*Seen.Content));
  return record(T, std::move(New), ByTransform);
}

/// Files of folders go to the output at once, by many threads: making files
/// takes as long as reading and changing them.
Error ContainerWalk::writeToFolder(const Task &T, Bytes Content, bool IsOld,
                                   bool ByTransform) {
  const InputFile &File = T.Node->file(T.Index);
  if (Error E = IsOld ? Out->keep(*T.Node->Owner, File, Content)
                      : Out->put(*T.Node->Owner, File,
                                 Rope(ByteRange::ofMemory(Content))))
    return E;
  T.Node->Changes.noteWritten(T.Index, ByTransform, /*IsArchive=*/false,
                              /*Inside=*/!IsOld);
  return Error::success();
}

Error ContainerWalk::record(const Task &T, EntryResult New, bool ByTransform) {
  const ContainerNode &Node = *T.Node;
  if (Out && Node.Info.TheKind == Kind::Folder && New.NewName.empty())
    return writeToFolder(T, New.Data, /*IsOld=*/false, ByTransform);
  if (!Out) {
    T.Node->Changes.note();
    return Error::success();
  }
  // Archives have their own space.
  Expected<PackedContent> Content =
      Node.Zip
          ? pack(New.Data,
                 static_cast<ZipMethod>(Node.Zip->entries()[T.Index].Method),
                 Node.Spill.get())
          : pack(New.Data, ZipMethod::Stored, &In.spill());
  if (!Content)
    return Content.takeError();
  T.Node->Changes.replace(T.Index, std::move(*Content), std::move(New.NewName),
                          ByTransform);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

void ContainerWalk::queue(OpenFile &F, ContainerNode &Node, size_t Index) {
  std::lock_guard<std::mutex> Guard(Lock);
  ++Now.Step;
  ++F.Pending;
  const Task T{&F, &Node, Index, NextOrdinal++, Now, nullptr};
  if (!Shared.Queue.empty() && Shared.Queue.back().isFollowedBy(T))
    ++Shared.Queue.back().Count;
  else
    Shared.Queue.push_back({T});
  ++Shared.Queued;
  if (Workers.size() + 1 >= std::min<uint64_t>(Count, Shared.Queued) ||
      !Workers.add())
    HasWork.notify_one();
}

Error ContainerWalk::spend(OpenFile &F, uint64_t Size,
                           const std::string &Display) {
  if (Size > F.Budget)
    return makeError(Location(Display),
                     "its file inflates to far more than its own size; this "
                     "looks like an archive bomb");
  F.Budget -= Size;
  return Error::success();
}

Error ContainerWalk::ask(const EntryInfo &Info, Error Why) {
  if (Insisted)
    return Why;
  Error E = Client.unreadable(Info, std::move(Why));
  Insisted = bool(E);
  return E;
}

Error ContainerWalk::openInner(OpenFile &F, ContainerNode &Outer,
                               size_t Index) {
  const ZipEntry &E = Outer.Zip->entries()[Index];
  auto Node = std::make_unique<ContainerNode>();
  Node->Info.TheKind = Kind::Archive;
  Node->Info.Input = Outer.Info.Input;
  Node->Info.Parent = &Outer.Info;
  Node->Info.Name = E.Name.str();
  Node->Info.Display = Outer.Zip->display(E);
  Node->Info.Depth = Outer.Info.Depth + 1;
  Node->Owner = Outer.Owner;
  Node->FileIndex = Outer.FileIndex;
  Node->IndexInParent = Index;
  Node->Spill = Outer.Spill;
  if (Error Err = Outer.Zip->checkReadable(E))
    return Err;
  bool IsStored = E.Method == uint16_t(ZipMethod::Stored);
  if (!IsStored)
    if (Error Err = spend(F, E.Size, Node->Info.Display))
      return Err;
  Expected<ByteRange> Content = Outer.Zip->extract(E, *Outer.Spill);
  if (!Content)
    return Content.takeError();
  Expected<bool> IsArchive = ZipArchive::isArchive(*Content);
  if (!IsArchive)
    return IsArchive.takeError();
  if (!*IsArchive)
    return Error::success(); // only its name looked like one
  if (Node->Info.Depth > Options.Limits.MaxDepth)
    return makeError(Location(Node->Info.Display),
                     "more than " + Twine(Options.Limits.MaxDepth) +
                         " archives inside each other");
  ContainerNode &Inner = *Node;
  // Kept from here on: entries of it may be queued before a failure.
  Outer.Children.push_back(std::move(Node));
  return openArchive(F, Inner, *Content);
}

Error ContainerWalk::openArchive(OpenFile &F, ContainerNode &Node,
                                 ByteRange Content) {
  Expected<std::unique_ptr<ZipArchive>> Zip =
      ZipArchive::open(std::move(Content), Node.Info.Display, Options.Limits);
  if (!Zip)
    return Zip.takeError();
  Node.Info.Id = NextId++;
  Node.Zip = std::move(*Zip);
  Node.Changes.Edit.emplace(Node.Zip.get(), Node.Spill);
  ArrayRef<ZipEntry> Entries = Node.Zip->entries();
  for (size_t I = 0; I < Entries.size(); ++I) {
    if (Entries[I].isDirectory())
      continue;
    EntryInfo Info = Node.entry(I);
    switch (Client.plan(Info)) {
    case EntryPlan::Copy:
      break;
    case EntryPlan::Transform:
      if (Entries[I].Method != uint16_t(ZipMethod::Stored))
        if (Error E = spend(F, Entries[I].Size, Info.display())) {
          if (Error Final = ask(Info, std::move(E)))
            return Final;
          break;
        }
      queue(F, Node, I);
      break;
    case EntryPlan::Descend:
      Info.Ordinal = NextOrdinal++;
      ++Now.Step;
      if (Error E = openInner(F, Node, I))
        if (Error Final = ask(Info, std::move(E)))
          return Final;
      break;
    }
  }
  return Error::success();
}

static uint64_t budgetOf(const ArchiveLimits &L, uint64_t Size) {
  uint64_t Sum = L.MaxInflated + L.MaxRatio * Size;
  return L.MaxRatio && (Sum - L.MaxInflated) / L.MaxRatio != Size ? UINT64_MAX
                                                                  : Sum;
}

Error ContainerWalk::openFile(OpenFile &F, unsigned InputIndex,
                              size_t FileIndex) {
  const Input &Owner = In.inputs()[InputIndex];
  const InputFile &File = Owner.Files[FileIndex];
  EntryInfo Info;
  if (F.Folder) {
    Info = F.Folder->entry(FileIndex);
    Info.Ordinal = NextOrdinal++;
    ++Now.Step;
  }
  auto OpenTop = [&]() -> Error {
    Expected<ByteRange> Content = File.open();
    if (!Content)
      return Content.takeError();
    Expected<bool> IsArchive = ZipArchive::isArchive(*Content);
    if (!IsArchive)
      return IsArchive.takeError();
    if (F.Folder && !*IsArchive)
      return Error::success();
    EntryInfo Named;
    Named.Name = File.Relative;
    if (!*IsArchive && planByName(Named) == EntryPlan::Descend)
      return makeError(Location(File.Display), "not an archive");
    F.Top = std::make_unique<ContainerNode>();
    ContainerNode &Node = *F.Top;
    Node.Owner = &Owner;
    Node.FileIndex = FileIndex;
    Node.Info.TheKind = *IsArchive ? Kind::Archive : Kind::File;
    Node.Info.Input = InputIndex;
    Node.Info.Parent = F.Folder ? &F.Folder->Info : nullptr;
    Node.Info.Name = F.Folder ? File.Relative : Owner.Name;
    Node.Info.Display = File.Display;
    if (!*IsArchive) {
      Node.Info.Id = NextId++;
      queue(F, Node, FileIndex);
      return Error::success();
    }
    Node.Spill = SpillFile::create();
    F.Budget = budgetOf(Options.Limits, File.Size);
    return openArchive(F, Node, *Content);
  };
  Error E = OpenTop();
  if (E && F.Folder)
    return ask(Info, std::move(E));
  return E;
}

//===----------------------------------------------------------------------===//
// Finishing
//===----------------------------------------------------------------------===//

Error ContainerWalk::finishInner(OpenFile &F, ContainerNode &Node) {
  std::list<Repacking> Inner;
  // One is gone before the next is finished; packing goes to the workers.
  auto FinishEach = [&]() -> Error {
    for (std::unique_ptr<ContainerNode> &Slot : Node.Children) {
      std::unique_ptr<ContainerNode> Child = std::move(Slot);
      if (!Child->Zip)
        continue; // broken, and left as it is
      if (Error E = finishNode(F, *Child))
        return E;
      if (!Child->Changes.Changed)
        continue;
      Node.Changes.Changed = true;
      if (!Out)
        continue;
      if (Child->Changes.isEmptied(*Child->Zip)) {
        Node.Changes.drop(Child->IndexInParent);
        continue;
      }
      Expected<Rope> Content = Child->Changes.Edit->finish();
      if (!Content)
        return inFile(Content.takeError(), Child->Info.Display);
      size_t I = Child->IndexInParent;
      Inner.push_back({std::move(*Content), I,
                       static_cast<ZipMethod>(Node.Zip->entries()[I].Method),
                       Child->Info.Display, std::nullopt});
      std::lock_guard<std::mutex> Guard(Lock);
      ++F.Pending;
      // Before all entries: this thread waits for it.
      Shared.Queue.push_front({Task{&F, &Node, I, 0, F.At, &Inner.back()}});
      ++Shared.Queued;
      HasWork.notify_one();
    }
    return Error::success();
  };
  Error Failed = FinishEach();
  waitFor(F);
  for (Repacking &R : Inner) {
    if (*R.Result)
      Node.Changes.Edit->replace(R.Index, std::move(**R.Result));
    else if (Failed)
      llvm::consumeError(R.Result->takeError());
    else
      Failed = inFile(R.Result->takeError(), R.Display);
  }
  return Failed;
}

Error ContainerWalk::finishNode(OpenFile &F, ContainerNode &Node) {
  if (!Node.Children.empty())
    if (Error E = finishInner(F, Node))
      return E;
  NodeEditor Editor(Node, Out, Options.Limits.MaxEntry);
  return inFile(Client.finish(Editor), Node.Info.Display);
}

Error ContainerWalk::finishFile(OpenFile &F) {
  if (!F.Top)
    return Error::success(); // its folder does it
  ContainerNode &Node = *F.Top;
  const InputFile &File = Node.file(Node.FileIndex);
  if (Node.Zip || Node.Info.TheKind == Kind::File)
    if (Error E = finishNode(F, Node))
      return E;
  if (F.Folder) {
    F.Folder->Changes.noteWritten(Node.FileIndex, /*ByTransform=*/false,
                                  /*IsArchive=*/true, Node.Changes.Changed);
  }
  if (!Out)
    return Error::success();
  if (!Node.Changes.Changed)
    return Out->keep(*Node.Owner, File);
  if (!Node.Zip) {
    const EntryChanges::NewFile &New = Node.Changes.Files.begin()->second;
    return Out->put(*Node.Owner, File, New.Content, New.NewName);
  }
  Expected<Rope> Content = Node.Changes.Edit->finish();
  if (!Content)
    return inFile(Content.takeError(), Node.Info.Display);
  return Out->put(*Node.Owner, File, *Content);
}

Error ContainerWalk::finishFolder(ContainerNode &Node) {
  NodeEditor Editor(Node, Out, Options.Limits.MaxEntry);
  if (Error E = inFile(Client.finish(Editor), Node.Info.Display))
    return E;
  if (!Out)
    return Error::success();
  for (size_t I = 0; I < Node.Owner->Files.size(); ++I) {
    auto New = Node.Changes.Files.find(I);
    const bool IsNew = New != Node.Changes.Files.end();
    if (!IsNew && Node.Changes.isWritten(I))
      continue;
    if (!IsNew && Node.Changes.Dropped.count(I)) {
      Out->remove(*Node.Owner, Node.file(I));
      continue;
    }
    Error E = IsNew ? Out->put(*Node.Owner, Node.file(I), New->second.Content,
                               New->second.NewName)
                    : Out->keep(*Node.Owner, Node.file(I));
    if (E)
      return E;
  }
  for (const auto &[Path, Content] : Node.Changes.AddedFiles)
    if (Error E = Out->addToFolder(*Node.Owner, Path, Content))
      return E;
  return Error::success();
}

void ContainerWalk::waitFor(OpenFile &F) {
  std::unique_lock<std::mutex> Guard(Lock);
  constexpr std::chrono::milliseconds Often(200);
  SmallVector<uint8_t, 0> Buffer;
  auto Told = std::chrono::steady_clock::now();
  while (F.Pending) {
    if (!Shared.Queue.empty())
      doNext(Guard, Buffer);
    else
      HasProgress.wait_for(Guard, Often, [&] { return !F.Pending; });
    if (!Options.Progress || std::chrono::steady_clock::now() < Told + Often)
      continue;
    uint64_t Done = Shared.Done;
    Guard.unlock();
    Options.Progress(Done, NextOrdinal);
    Told = std::chrono::steady_clock::now();
    Guard.lock();
  }
}

void ContainerWalk::finishOldest() {
  OpenFile &F = *Open.front();
  Place End{F.At.File, LastStep};
  waitFor(F);
  if (!failedBefore(End))
    if (Error E = finishFile(F))
      fail(End, std::move(E));
  Open.pop_front();
}

void ContainerWalk::openInput(unsigned Index) {
  const Input &I = In.inputs()[Index];
  std::unique_ptr<ContainerNode> Folder;
  if (I.IsFolder) {
    Folder = std::make_unique<ContainerNode>();
    Folder->Info.TheKind = Kind::Folder;
    Folder->Info.Id = NextId++;
    Folder->Info.Input = Index;
    Folder->Info.Name = Folder->Info.Display = I.Name;
    Folder->Owner = &I;
  }
  OpenFile Plain;
  for (size_t J = 0; J < I.Files.size(); ++J) {
    ++Now.File;
    Now.Step = 0;
    if (interrupted())
      fail(Now, makeError("interrupted"));
    if (failedBefore(Now))
      break;
    if (Folder) {
      EntryPlan Plan = Client.plan(Folder->entry(J));
      if (Plan == EntryPlan::Transform)
        queue(Plain, *Folder, J);
      if (Plan != EntryPlan::Descend)
        continue;
    }
    if (Open.size() >= Window)
      finishOldest();
    Open.push_back(std::make_unique<OpenFile>());
    OpenFile &F = *Open.back();
    F.At = Now;
    F.Folder = Folder.get();
    if (Error E = openFile(F, Index, J))
      fail({Now.File, Now.Step}, std::move(E));
  }
  if (!Folder)
    return;
  while (!Open.empty())
    finishOldest();
  waitFor(Plain);
  ++Now.File;
  Now.Step = 0;
  if (!failedBefore(Now))
    if (Error E = finishFolder(*Folder))
      fail(Now, std::move(E));
}

Error ContainerWalk::run() {
  for (unsigned I = 0; I < In.inputs().size(); ++I)
    openInput(I);
  while (!Open.empty())
    finishOldest();
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Shared.Closed = true;
  }
  HasWork.notify_all();
  Workers.join();
  return Shared.Failure ? std::move(*Shared.Failure) : Error::success();
}

Error jopt::processInputs(const InputSet &In, ContainerClient &Client,
                          OutputSet *Out, const ProcessOptions &Options) {
  return ContainerWalk(In, Client, Out, Options).run();
}
