import type { Turn } from '#contract/transcripts.ts'
import { summaryLine } from './transcript-view.ts'

/** One line of the outline: the speaker or the called tool. */
export type OutlineLine = { seq: number; label: string; isCall: boolean; failed: boolean; text: string }

/** The outline of a conversation: its messages and tool calls. */
export function toOutline(turns: readonly Turn[]): OutlineLine[] {
  return turns.flatMap((turn, index) => {
    const { seq, kind, role, tool, text } = turn
    const isCall = kind === 'tool_call'
    if (!isCall && !(kind === 'message' && role !== 'tool')) return []
    const next = turns[index + 1]
    const failed = isCall && next?.kind === 'tool_result' && next.failed === true
    return [{ seq, label: isCall ? (tool ?? 'tool') : role, isCall, failed, text: summaryLine(text) }]
  })
}
