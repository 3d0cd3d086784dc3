/** Ends every process of a group that is still there. */
export function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty: all its processes have ended.
  }
}
