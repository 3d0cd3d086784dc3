/** The errors with which calls are refused. */
export const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
export const newNamespaces = 0x7e020000

/** TIOCSTI types into a terminal, TIOCLINUX pastes into a console. */
export const terminalInjections = [0x5412, 0x541c]

/** PTRACE_ATTACH and PTRACE_SEIZE. A debugger can still trace the programs that it starts, because they use TRACEME. */
export const tracingOthers = [16, 0x4206]

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Others, such as AF_VSOCK, reach the host despite any namespace. */
export const socketFamilies = [1, 2, 10, 16]

/** A bit of the mode of character and block devices, and of no other file that a program can make with these calls. */
export const deviceMode = 0x2000
