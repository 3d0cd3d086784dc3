import { createContext } from 'react'

import type { ClipRequest } from './clip-requests.ts'

/** The source of the turns below; null if a report couldn't link back to it. */
export type ClipSource = {
  title: string
  facts: string[]
  turnPath: (seq: number) => string
}

export const ClipSourceContext = createContext<ClipSource | null>(null)

type QuotedTurn = { seq: number; role: string; text: string; tool?: string | undefined }

export const turnClip = (
  { title, facts, turnPath }: ClipSource,
  { seq, role, tool, text }: QuotedTurn,
): ClipRequest => ({
  title: `${title}, turn ${seq}`,
  path: turnPath(seq),
  quote: `${tool ? `${role} · ${tool}` : role}: ${text}`,
  facts,
  hasFigure: true,
})
