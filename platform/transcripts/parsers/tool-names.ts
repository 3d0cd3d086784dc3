const longest = 200
const most = 10_000

export type ToolNames = ReturnType<typeof createToolNames>

/**
 * Remembers which tool a call was for until its result arrives. Limited, whatever an agent prints: the oldest calls are
 * forgotten.
 */
export function createToolNames() {
  const names = new Map<string, string>()
  return {
    get: (id: string) => names.get(id),
    set(id: string, name: string) {
      if (id.length > longest || name.length > longest) return
      names.set(id, name)
      const [oldest = id] = names.keys()
      if (names.size > most) names.delete(oldest)
    },
  }
}
