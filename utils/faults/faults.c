/* For utils/check-faults, loaded by LD_PRELOAD: counts the allocations or the
   system calls that one program or library makes, and lets one of them fail.

     JOPT_FAULT_IN     the file name of that program or library
     JOPT_FAULT_KIND   memory, calls, or interrupts (EINTR where it can occur)
     JOPT_FAULT_STATE  a file that has a struct State, for all processes
     JOPT_FAULT_AT     which fails, from 1; 0 only counts

   A call belongs to the object that its return address lies in. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

struct State {
  _Atomic uint64_t Count;
  _Atomic uint64_t Offset; /* of the return address in the object */
  char Name[48];           /* of the function that failed */
};

enum Kind { Off, Memory, Calls, Interrupts };

static struct State *TheState;
static enum Kind TheKind;
static uint64_t At;
static char Object[256];
static char Program[PATH_MAX];

static void *find(const char *Name) {
  void *Found = dlsym(RTLD_NEXT, Name);
  if (!Found)
    abort();
  return Found;
}

__attribute__((constructor)) static void begin(void) {
  const char *In = getenv("JOPT_FAULT_IN"), *Of = getenv("JOPT_FAULT_KIND"),
             *File = getenv("JOPT_FAULT_STATE"), *N = getenv("JOPT_FAULT_AT");
  if (!In || !Of || !File || strlen(In) >= sizeof(Object))
    return;
  strcpy(Object, In);
  At = N ? strtoull(N, NULL, 10) : 0;
  if (readlink("/proc/self/exe", Program, sizeof(Program) - 1) < 0)
    return;
  int FD = open(File, O_RDWR | O_CLOEXEC);
  if (FD < 0)
    return;
  void *Shared = mmap(NULL, sizeof(struct State), PROT_READ | PROT_WRITE,
                      MAP_SHARED, FD, 0);
  close(FD);
  if (Shared == MAP_FAILED)
    return;
  TheState = Shared;
  TheKind = !strcmp(Of, "memory")       ? Memory
            : !strcmp(Of, "calls")      ? Calls
            : !strcmp(Of, "interrupts") ? Interrupts
                                        : Off;
}

static int endsInObject(const char *Path) {
  const char *Name = strrchr(Path, '/');
  return !strcmp(Name ? Name + 1 : Path, Object);
}

/* The object of the address, if it is the one that is asked for. */
static uintptr_t baseOf(void *Address) {
  struct dl_find_object Found;
  if (_dl_find_object(Address, &Found) != 0)
    return 0;
  const char *Path = Found.dlfo_link_map->l_name;
  return endsInObject(*Path ? Path : Program) ? (uintptr_t)Found.dlfo_map_start
                                              : 0;
}

/* For a debugger to stop at. */
__attribute__((noinline)) void jopt_fault_here(void) { __asm__ volatile(""); }

static int fails(enum Kind Of, const char *Name, void *From) {
  if (TheKind != Of)
    return 0;
  const uintptr_t Base = baseOf(From);
  if (!Base)
    return 0;
  const uint64_t N = atomic_fetch_add(&TheState->Count, 1) + 1;
  if (N != At)
    return 0;
  strncpy(TheState->Name, Name, sizeof(TheState->Name) - 1);
  TheState->Offset = (uintptr_t)From - Base;
  jopt_fault_here();
  return 1;
}

#define FROM __builtin_return_address(0)

/* Allocations. The C library's own names need no dlsym, which allocates. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t),
    *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

#define ALLOCATES(NAME, PARAMETERS, ARGUMENTS, REAL)                           \
  void *NAME PARAMETERS {                                                      \
    if (!fails(Memory, #NAME, FROM))                                           \
      return REAL ARGUMENTS;                                                   \
    errno = ENOMEM;                                                            \
    return NULL;                                                               \
  }
ALLOCATES(malloc, (size_t N), (N), __libc_malloc)
ALLOCATES(calloc, (size_t N, size_t S), (N, S), __libc_calloc)
ALLOCATES(realloc, (void *P, size_t N), (P, N), __libc_realloc)
ALLOCATES(aligned_alloc, (size_t A, size_t N), (A, N), __libc_memalign)

/* System calls, by the functions of the C library that make them: FAILURE is
   what it returns, with ERROR in errno. EINTR is for those that wait. */
#define CALLS(TYPE, NAME, PARAMETERS, ARGUMENTS, FAILURE, ERROR)               \
  TYPE NAME PARAMETERS {                                                       \
    static TYPE(*Real) PARAMETERS;                                             \
    if (!Real)                                                                 \
      Real = find(#NAME);                                                      \
    if (fails(Calls, #NAME, FROM)) {                                           \
      errno = (ERROR);                                                         \
      return (FAILURE);                                                        \
    }                                                                          \
    return Real ARGUMENTS;                                                     \
  }
#define WAITS_IF(WHERE, TYPE, NAME, PARAMETERS, ARGUMENTS, ERROR)              \
  TYPE NAME PARAMETERS {                                                       \
    static TYPE(*Real) PARAMETERS;                                             \
    if (!Real)                                                                 \
      Real = find(#NAME);                                                      \
    const int Hard = fails(Calls, #NAME, FROM);                                \
    if (Hard || ((WHERE) && fails(Interrupts, #NAME, FROM))) {                 \
      errno = Hard ? (ERROR) : EINTR;                                          \
      return -1;                                                               \
    }                                                                          \
    return Real ARGUMENTS;                                                     \
  }
#define WAITS(TYPE, NAME, PARAMETERS, ARGUMENTS, ERROR)                        \
  WAITS_IF(1, TYPE, NAME, PARAMETERS, ARGUMENTS, ERROR)
#define OPENS(NAME, PARAMETERS, ARGUMENTS)                                     \
  int NAME PARAMETERS {                                                        \
    static int (*Real)();                                                      \
    if (!Real)                                                                 \
      Real = (int (*)())find(#NAME);                                           \
    va_list Rest;                                                              \
    va_start(Rest, Flags);                                                     \
    const mode_t Mode = Flags & (O_CREAT | O_TMPFILE) ? va_arg(Rest, mode_t) : 0; \
    va_end(Rest);                                                              \
    const int Hard = fails(Calls, #NAME, FROM);                                \
    if (Hard || fails(Interrupts, #NAME, FROM)) {                              \
      errno = !Hard ? EINTR : Flags & O_CREAT ? ENOSPC : EACCES;               \
      return -1;                                                               \
    }                                                                          \
    return Real ARGUMENTS;                                                     \
  }

OPENS(open, (const char *Path, int Flags, ...), (Path, Flags, Mode))
OPENS(open64, (const char *Path, int Flags, ...), (Path, Flags, Mode))
OPENS(openat, (int D, const char *Path, int Flags, ...), (D, Path, Flags, Mode))

WAITS(ssize_t, read, (int F, void *B, size_t N), (F, B, N), EIO)
WAITS(ssize_t, pread, (int F, void *B, size_t N, off_t O), (F, B, N, O), EIO)
WAITS(ssize_t, pread64, (int F, void *B, size_t N, off64_t O), (F, B, N, O), EIO)
WAITS(ssize_t, preadv, (int F, const struct iovec *V, int N, off_t O),
      (F, V, N, O), EIO)
WAITS(ssize_t, write, (int F, const void *B, size_t N), (F, B, N), ENOSPC)
WAITS(ssize_t, pwrite, (int F, const void *B, size_t N, off_t O), (F, B, N, O),
      ENOSPC)
WAITS(ssize_t, pwrite64, (int F, const void *B, size_t N, off64_t O),
      (F, B, N, O), ENOSPC)
WAITS(ssize_t, pwritev, (int F, const struct iovec *V, int N, off_t O),
      (F, V, N, O), ENOSPC)
WAITS(int, connect, (int F, const struct sockaddr *A, socklen_t N), (F, A, N),
      ENOMEM)
WAITS(int, accept, (int F, struct sockaddr *A, socklen_t *N), (F, A, N), EMFILE)
WAITS(int, accept4, (int F, struct sockaddr *A, socklen_t *N, int O),
      (F, A, N, O), EMFILE)
WAITS(ssize_t, send, (int F, const void *B, size_t N, int O), (F, B, N, O),
      ECONNRESET)
WAITS(ssize_t, recv, (int F, void *B, size_t N, int O), (F, B, N, O),
      ECONNRESET)
WAITS_IF(T != 0, int, poll, (struct pollfd *P, nfds_t N, int T), (P, N, T), ENOMEM)
WAITS(int, ftruncate, (int F, off_t N), (F, N), ENOSPC)
WAITS(int, ftruncate64, (int F, off64_t N), (F, N), ENOSPC)
WAITS_IF(!(O & WNOHANG), pid_t, wait4, (pid_t P, int *S, int O, struct rusage *R), (P, S, O, R),
      ECHILD)
WAITS_IF(!(O & WNOHANG), pid_t, waitpid, (pid_t P, int *S, int O), (P, S, O), ECHILD)
WAITS(int, flock, (int F, int O), (F, O), ENOLCK)

CALLS(void *, mmap, (void *A, size_t N, int P, int Fl, int F, off_t O),
      (A, N, P, Fl, F, O), MAP_FAILED, ENOMEM)
CALLS(void *, mmap64, (void *A, size_t N, int P, int Fl, int F, off64_t O),
      (A, N, P, Fl, F, O), MAP_FAILED, ENOMEM)
CALLS(int, rename, (const char *A, const char *B), (A, B), -1, ENOSPC)
CALLS(int, link, (const char *A, const char *B), (A, B), -1, ENOSPC)
CALLS(int, symlink, (const char *A, const char *B), (A, B), -1, ENOSPC)
CALLS(int, unlink, (const char *A), (A), -1, EACCES)
CALLS(int, unlinkat, (int D, const char *A, int O), (D, A, O), -1, EACCES)
CALLS(int, remove, (const char *A), (A), -1, EACCES)
CALLS(int, rmdir, (const char *A), (A), -1, EACCES)
CALLS(int, mkdir, (const char *A, mode_t M), (A, M), -1, ENOSPC)
CALLS(int, mkdirat, (int D, const char *A, mode_t M), (D, A, M), -1, ENOSPC)
CALLS(int, chmod, (const char *A, mode_t M), (A, M), -1, EPERM)
CALLS(int, fchmod, (int F, mode_t M), (F, M), -1, EPERM)
CALLS(int, fchown, (int F, uid_t U, gid_t G), (F, U, G), -1, EPERM)
CALLS(int, futimens, (int F, const struct timespec T[2]), (F, T), -1, EPERM)
CALLS(int, fdatasync, (int F), (F), -1, EIO)
CALLS(int, stat, (const char *A, struct stat *S), (A, S), -1, EACCES)
CALLS(int, lstat, (const char *A, struct stat *S), (A, S), -1, EACCES)
CALLS(int, fstat, (int F, struct stat *S), (F, S), -1, EIO)
CALLS(int, fstatat, (int D, const char *A, struct stat *S, int O), (D, A, S, O),
      -1, EACCES)
CALLS(int, access, (const char *A, int M), (A, M), -1, EACCES)
CALLS(off_t, lseek, (int F, off_t O, int W), (F, O, W), -1, EIO)
CALLS(DIR *, opendir, (const char *A), (A), NULL, EACCES)
CALLS(DIR *, fdopendir, (int F), (F), NULL, ENOMEM)
CALLS(struct dirent *, readdir, (DIR *D), (D), NULL, EIO)
CALLS(char *, realpath, (const char *A, char *B), (A, B), NULL, EACCES)
CALLS(ssize_t, readlink, (const char *A, char *B, size_t N), (A, B, N), -1,
      EACCES)
CALLS(ssize_t, readlinkat, (int D, const char *A, char *B, size_t N),
      (D, A, B, N), -1, EACCES)
CALLS(char *, getcwd, (char *B, size_t N), (B, N), NULL, EACCES)
CALLS(int, chdir, (const char *A), (A), -1, EACCES)
CALLS(ssize_t, copy_file_range,
      (int F, off64_t *A, int G, off64_t *B, size_t N, unsigned O),
      (F, A, G, B, N, O), -1, ENOSPC)
CALLS(int, memfd_create, (const char *A, unsigned O), (A, O), -1, EMFILE)
CALLS(int, dup, (int F), (F), -1, EMFILE)
CALLS(int, dup2, (int F, int G), (F, G), -1, EMFILE)
CALLS(int, dup3, (int F, int G, int O), (F, G, O), -1, EMFILE)
CALLS(int, pipe, (int P[2]), (P), -1, EMFILE)
CALLS(int, socket, (int D, int T, int P), (D, T, P), -1, EMFILE)
CALLS(int, socketpair, (int D, int T, int P, int F[2]), (D, T, P, F), -1, EMFILE)
CALLS(int, bind, (int F, const struct sockaddr *A, socklen_t N), (F, A, N), -1,
      EACCES)
CALLS(int, listen, (int F, int N), (F, N), -1, EADDRINUSE)
CALLS(pid_t, fork, (void), (), -1, EAGAIN)
CALLS(int, execv, (const char *A, char *const V[]), (A, V), -1, EACCES)
CALLS(int, execve, (const char *A, char *const V[], char *const E[]), (A, V, E),
      -1, EACCES)
CALLS(int, posix_spawn,
      (pid_t * P, const char *A, const posix_spawn_file_actions_t *F,
       const posix_spawnattr_t *T, char *const V[], char *const E[]),
      (P, A, F, T, V, E), EAGAIN, errno)
CALLS(int, pthread_create,
      (pthread_t * T, const pthread_attr_t *A, void *(*F)(void *), void *D),
      (T, A, F, D), EAGAIN, errno)

/* Linux closes the file all the same. */
int close(int F) {
  static int (*Real)(int);
  if (!Real)
    Real = find("close");
  if (!fails(Calls, "close", FROM))
    return Real(F);
  (void)Real(F);
  errno = EIO;
  return -1;
}

/* Of what the tools ask for by number, openat2. */
long syscall(long N, ...) {
  static long (*Real)(long, ...);
  if (!Real)
    Real = (long (*)(long, ...))find("syscall");
  va_list Rest;
  va_start(Rest, N);
  long A[6];
  for (int I = 0; I != 6; ++I)
    A[I] = va_arg(Rest, long);
  va_end(Rest);
  if (fails(Calls, "syscall", FROM)) {
    errno = EACCES;
    return -1;
  }
  return Real(N, A[0], A[1], A[2], A[3], A[4], A[5]);
}
