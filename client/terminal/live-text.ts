import type { Io } from '#client/io.ts'
import { visibleLines } from './visible-lines.ts'

/** Text that replaces itself on a terminal. A longer line is cut, because a line break would move what is replaced. */
export function liveText(io: Pick<Io, 'error' | 'columns'>) {
  let shown = 0
  const clear = () => {
    // A Ctrl-C has left the cursor behind its "^C".
    if (shown > 0) io.error(`\r\u001b[${shown}A\u001b[J`)
    shown = 0
  }
  return {
    clear,
    show(text: string) {
      const lines = visibleLines(text).trimEnd().split('\n')
      clear()
      const width = io.columns.error ?? 80
      io.error(`${lines.map((line) => [...line].slice(0, width - 1).join('')).join('\n')}\n`)
      shown = lines.length
    },
  }
}
