import { ContextKind } from '#contract/context-kinds.ts'
import type { RecordTarget } from '#src/api/context-suggestions.ts'

/** The record of a path, or null for an unknown kind. */
export const targetOf = ({ kind, id }: { kind?: string; id?: string }): RecordTarget | null => {
  const parsed = ContextKind.safeParse(kind)
  return parsed.success && id ? { kind: parsed.data, targetId: id } : null
}

export function requireTarget(params: { kind?: string; id?: string }): RecordTarget {
  const target = targetOf(params)
  if (!target) throw new Response('Unknown kind of Context record', { status: 404 })
  return target
}
