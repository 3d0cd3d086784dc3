/** The examples of the repository, word for word: every template is an experiment that runs. */
const texts = import.meta.glob<string>('/examples/*/experiment.yaml', { query: '?raw', import: 'default', eager: true })

export type Template = { id: string; name: string; text: string }

export const templates: readonly Template[] = Object.entries(texts).map(([path, text]) => {
  const id = path.split('/').at(-2) ?? path
  return { id, name: /^name:\s*(.+)$/m.exec(text)?.[1] ?? id, text }
})

/** A copy must not become the next version of what it was copied from. */
export const asCopy = (text: string, takenId: string) =>
  text
    .replace(/^(id:\s*)(\S+)/m, (_, label: string) => `${label}${takenId}-copy`)
    .replace(/^(name:\s*.+)$/m, '$1 (copy)')
