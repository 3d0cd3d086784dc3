import { HeldBytes } from './held-bytes.ts'
import { type Finding, maxHeld, type Scanner } from './scan.ts'

/**
 * Masks one stream of bytes, wherever its chunks break. `push` returns the bytes that are safe to show so far, `end`
 * the rest.
 */
export type MaskStream = { push: (chunk: Uint8Array) => Buffer; end: () => Buffer }

/** `mask` returns the replacement of a secret. Overlapping findings become one mask, that of the longest finding. */
export function maskStream(scanners: readonly Scanner[], mask: (secret: number) => Buffer): MaskStream {
  const held = new HeldBytes()
  let findings: Ranked[] = []
  const discarded: Uint8Array[] = []

  const release = (settled: number) => {
    findings = mergeFindings(findings)
    const open = findings.find(({ start, end }) => start < settled && end > settled)
    const isTooMuch = open !== undefined && settled - open.start > maxHeld
    const cut = open && !isTooMuch ? open.start : settled
    const parts: Uint8Array[] = []
    const left: Ranked[] = []
    for (const finding of findings) {
      const { start, end, secret } = finding
      if (start >= cut) left.push(finding)
      else {
        held.take(start, parts)
        parts.push(mask(secret))
        held.take(Math.min(end, cut), discarded)
        discarded.length = 0
        if (end > cut) left.push({ ...finding, start: cut })
      }
    }
    held.take(cut, parts)
    findings = left
    return Buffer.concat(parts)
  }
  return {
    push(chunk) {
      held.add(chunk)
      for (const scanner of scanners) {
        const found: Ranked[] = []
        scanner.scan(chunk, (finding) => addFinding(found, finding))
        for (const finding of found) findings.push(finding)
      }
      return release(Math.min(...scanners.map((scanner) => scanner.settled())))
    },
    end: () => release(held.to),
  }
}

type Ranked = Finding & { longest: number }

/** Merges a finding with those that it overlaps. They come in order of their ends, so only the last ones can. */
function addFinding(found: Ranked[], finding: Finding) {
  const added = { ...finding, longest: finding.end - finding.start }
  for (let last = found.at(-1); last && last.end > added.start; last = found.at(-1)) {
    found.pop()
    added.start = Math.min(added.start, last.start)
    if (last.longest >= added.longest) Object.assign(added, { secret: last.secret, longest: last.longest })
  }
  found.push(added)
}

/** Returns findings in order of their starts. Findings that share a byte are merged under the secret of the longest. */
function mergeFindings(findings: Ranked[]): Ranked[] {
  const merged: Ranked[] = []
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (!last || finding.start >= last.end) merged.push({ ...finding })
    else {
      last.end = Math.max(last.end, finding.end)
      if (finding.longest > last.longest) Object.assign(last, { secret: finding.secret, longest: finding.longest })
    }
  }
  return merged
}
