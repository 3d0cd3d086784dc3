/** The two architectures with a filter, by Node's names. */
export type Architecture = 'x64' | 'arm64'

type Numbers = { readonly [Name in Architecture]?: number }

/** From 424 on, a new system call has the same number on every architecture. */
const both = (number: number): Numbers => ({ x64: number, arm64: number })

/** Administration of the machine or of namespaces. No run, test or build needs any of it. */
export const forbidden: Record<string, Numbers> = {
  acct: { x64: 163, arm64: 89 },
  adjtimex: { x64: 159, arm64: 171 },
  clock_adjtime: { x64: 305, arm64: 266 },
  clock_settime: { x64: 227, arm64: 112 },
  create_module: { x64: 174 },
  delete_module: { x64: 176, arm64: 106 },
  fanotify_init: { x64: 300, arm64: 262 },
  finit_module: { x64: 313, arm64: 273 },
  fsconfig: both(431),
  fsmount: both(432),
  fsopen: both(430),
  fspick: both(433),
  init_module: { x64: 175, arm64: 105 },
  ioperm: { x64: 173 },
  iopl: { x64: 172 },
  kexec_file_load: { x64: 320, arm64: 294 },
  kexec_load: { x64: 246, arm64: 104 },
  mount: { x64: 165, arm64: 40 },
  mount_setattr: both(442),
  move_mount: both(429),
  open_by_handle_at: { x64: 304, arm64: 265 },
  open_tree: both(428),
  open_tree_attr: both(467),
  perf_event_open: { x64: 298, arm64: 241 },
  pidfd_getfd: both(438),
  pivot_root: { x64: 155, arm64: 41 },
  process_madvise: both(440),
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: both(443),
  reboot: { x64: 169, arm64: 142 },
  setdomainname: { x64: 171, arm64: 162 },
  sethostname: { x64: 170, arm64: 161 },
  setns: { x64: 308, arm64: 268 },
  settimeofday: { x64: 164, arm64: 170 },
  swapoff: { x64: 168, arm64: 225 },
  swapon: { x64: 167, arm64: 224 },
  syslog: { x64: 103, arm64: 116 },
  umount2: { x64: 166, arm64: 39 },
  unshare: { x64: 272, arm64: 97 },
  vhangup: { x64: 153, arm64: 58 },
}

/**
 * Calls that programs try and can do without when the kernel lacks them, so they get that answer. `clone3` is one of
 * them, because a filter cannot read its flags in memory: the C library falls back to `clone`, whose flags it can read.
 */
export const missing: Record<string, Numbers> = {
  _sysctl: { x64: 156 },
  add_key: { x64: 248, arm64: 217 },
  bpf: { x64: 321, arm64: 280 },
  clone3: both(435),
  get_kernel_syms: { x64: 177 },
  io_uring_enter: both(426),
  io_uring_register: both(427),
  io_uring_setup: both(425),
  kcmp: { x64: 312, arm64: 272 },
  keyctl: { x64: 250, arm64: 219 },
  lookup_dcookie: { x64: 212, arm64: 18 },
  nfsservctl: { x64: 180, arm64: 42 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  query_module: { x64: 178 },
  request_key: { x64: 249, arm64: 218 },
  sysfs: { x64: 139 },
  uselib: { x64: 134 },
  userfaultfd: { x64: 323, arm64: 282 },
  ustat: { x64: 136 },
}

/**
 * Calls of root that answer with success and do nothing, for the root of an image: package managers change owners and
 * users, and a namespace with a single user has no others.
 */
export const pretended: Record<string, Numbers> = {
  capset: { x64: 126, arm64: 91 },
  chown: { x64: 92 },
  fchown: { x64: 93, arm64: 55 },
  fchownat: { x64: 260, arm64: 54 },
  lchown: { x64: 94 },
  setfsgid: { x64: 123, arm64: 152 },
  setfsuid: { x64: 122, arm64: 151 },
  setgid: { x64: 106, arm64: 144 },
  setgroups: { x64: 116, arm64: 159 },
  setregid: { x64: 114, arm64: 143 },
  setresgid: { x64: 119, arm64: 149 },
  setresuid: { x64: 117, arm64: 147 },
  setreuid: { x64: 113, arm64: 145 },
  setuid: { x64: 105, arm64: 146 },
}

/** Calls that answer with success and do nothing only for device files; their argument with the mode. */
export const pretendedForDevices = {
  mknod: { numbers: { x64: 133 }, modeArgument: 1 },
  mknodat: { numbers: { x64: 259, arm64: 33 }, modeArgument: 2 },
} satisfies Record<string, { numbers: Numbers; modeArgument: number }>

/**
 * `file_setattr` of Linux 6.17. Later calls are unreviewed, so they do not exist inside; x32 calls have higher numbers
 * too.
 */
export const newestReviewed = 469

/** Calls that are refused only with certain arguments. */
export const examined = {
  clone: { x64: 56, arm64: 220 },
  ioctl: { x64: 16, arm64: 29 },
  ptrace: { x64: 101, arm64: 117 },
  socket: { x64: 41, arm64: 198 },
  socketpair: { x64: 53, arm64: 199 },
} satisfies Record<string, Numbers>
