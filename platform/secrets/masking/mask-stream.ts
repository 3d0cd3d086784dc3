import type { Finding, Scanner } from './scan.ts'

/** Masks one stream of bytes, wherever its chunks break; `push` gives what is safe to show by now, `end` the rest. */
export type MaskStream = { push: (chunk: Uint8Array) => Buffer; end: () => Buffer }

/** One long run of overlapping secrets must not be held in memory until it ends. */
const maxHeld = 1024 * 1024

/** `mask` gives what stands in the place of a secret. Findings that overlap become one mask, the longest one's. */
export function maskStream(scanners: readonly Scanner[], mask: (secret: number) => Buffer): MaskStream {
  let held = Buffer.alloc(0)
  let heldFrom = 0
  let findings: Finding[] = []

  const release = (settled: number) => {
    findings = mergeFindings(findings)
    const open = findings.find(({ start, end }) => start < settled && end > settled)
    const isTooMuch = open !== undefined && settled - open.start > maxHeld
    const cut = open && !isTooMuch ? open.start : settled
    const parts: Buffer[] = []
    let from = heldFrom
    const left: Finding[] = []
    for (const { start, end, secret } of findings) {
      if (start >= cut) left.push({ start, end, secret })
      else {
        parts.push(held.subarray(from - heldFrom, start - heldFrom), mask(secret))
        from = Math.min(end, cut)
        if (end > cut) left.push({ start: cut, end, secret })
      }
    }
    parts.push(held.subarray(from - heldFrom, cut - heldFrom))
    findings = left
    held = held.subarray(cut - heldFrom)
    heldFrom = cut
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  }
  return {
    push(chunk) {
      held = held.byteLength === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
      for (const scanner of scanners) scanner.scan(chunk, (finding) => findings.push(finding))
      return release(Math.min(...scanners.map((scanner) => scanner.settled())))
    },
    end: () => release(heldFrom + held.byteLength),
  }
}

/** In the order of their beginnings; those that share a byte as one, under the secret of the longest. */
function mergeFindings(findings: Finding[]): Finding[] {
  const merged: (Finding & { longest: number })[] = []
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    const length = finding.end - finding.start
    if (!last || finding.start >= last.end) merged.push({ ...finding, longest: length })
    else {
      last.end = Math.max(last.end, finding.end)
      if (length > last.longest) Object.assign(last, { secret: finding.secret, longest: length })
    }
  }
  return merged
}
