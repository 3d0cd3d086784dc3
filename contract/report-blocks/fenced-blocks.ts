const opening = /^[ >]*(`{3,}|~{3,})([^`]*)$/

/** The fenced blocks of a report's body, in order, including those in quotes and lists. */
export function* fencedBlocks(markdown: string): Generator<{ language: string; text: string }> {
  let open: { marks: string; language: string; text: string[] } | undefined
  for (const line of markdown.split('\n')) {
    const [, marks = '', info = ''] = opening.exec(line) ?? []
    const language = info.trim()
    if (!open) {
      if (marks) open = { marks, language, text: [] }
    } else if (marks.startsWith(open.marks) && language === '') {
      yield { language: open.language, text: open.text.join('\n') }
      open = undefined
    } else {
      open.text.push(line.replace(/^[ >]*/, ''))
    }
  }
}
