type Answer = { text: () => Promise<string>; headers: { get: (name: string) => string | null } }

/** The body of a response: parsed JSON, other text, or undefined if it is empty or cannot be read. */
export async function readContent(answer: Answer): Promise<unknown> {
  const text = await answer.text()
  if (!answer.headers.get('content-type')?.includes('json')) return text === '' ? undefined : text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
