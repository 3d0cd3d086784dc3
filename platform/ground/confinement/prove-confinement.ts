/**
 * A shell script that tests a confinement from inside. It opens every file below /proc and /sys for writing and writes
 * nothing, so it does no harm on a machine where the test fails.
 */
export const confinementProbe = `
find /proc /sys -type f 2>/dev/null | {
  tried=0
  while IFS= read -r file; do
    if { true >> "$file"; } 2>/dev/null; then echo "writable: $file"; fi
    tried=$((tried + 1))
  done
  echo "tried: $tried"
}
grep -E '^(CapEff|Seccomp):' /proc/self/status`

/** The fault of a confinement in which the script printed this, or null. */
export function findConfinementFault(printed: string): string | null {
  if (!/^CapEff:\s*0+$/m.test(printed)) return 'it does not drop capabilities'
  const writable = Array.from(printed.matchAll(/^writable: (.+)$/gm), ([, path]) => path)
  if (writable.length > 0)
    return `it leaves ${writable[0]} writable${writable.length > 1 ? `, and ${writable.length - 1} more files` : ''}`
  if (!/^tried: [1-9]/m.test(printed)) return 'its check for writable files did not run'
  return /^Seccomp:\s*2$/m.test(printed) ? null : 'it does not filter system calls'
}
