import { checkText } from '#src/editor/check-text.ts'

/** Whether two texts mean the same, so that pushing one finds the other stored with its package. */
export function sameDefinition(a: string, b: string): boolean {
  if (a === b) return true
  const [first, second] = [checkText(a).definition, checkText(b).definition]
  return first !== null && second !== null && JSON.stringify(first) === JSON.stringify(second)
}
