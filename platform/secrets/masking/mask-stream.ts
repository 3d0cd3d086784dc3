import type { Finding, Scanner } from './scan.ts'

/**
 * Masks one stream of bytes, wherever its chunks break. `push` returns the bytes that are safe to show so far, `end`
 * the rest.
 */
export type MaskStream = { push: (chunk: Uint8Array) => Buffer; end: () => Buffer }

/** Limits how many bytes of one long run of overlapping secrets are held in memory. */
const maxHeld = 1024 * 1024

/** `mask` returns the replacement of a secret. Overlapping findings become one mask, that of the longest finding. */
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

/** Returns findings in order of their starts. Findings that share a byte are merged under the secret of the longest. */
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
