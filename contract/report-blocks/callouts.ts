import { quoteLines } from './markdown-text.ts'

/**
 * Callouts in GitHub's syntax: a quote whose first line is `[!NOTE]`. `clip` is an addition for text quoted from a
 * result.
 */
const calloutKinds = ['note', 'tip', 'important', 'warning', 'caution', 'clip'] as const
export type CalloutKind = (typeof calloutKinds)[number]

/** Parses the first line of a quote; null for a plain quote. */
export function parseCalloutLine(line: string): CalloutKind | null {
  const name = /^\[!(\w+)\][ \t]*$/.exec(line)?.[1]?.toLowerCase()
  return calloutKinds.find((kind) => kind === name) ?? null
}

export const formatCallout = (kind: CalloutKind, markdown: string) =>
  `> [!${kind.toUpperCase()}]\n${quoteLines(markdown.trimEnd())}`
