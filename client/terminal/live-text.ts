import type { Io } from '#client/io.ts'
import { visibleLines } from './visible-lines.ts'

/** Text that replaces itself on a terminal. A longer line is cut, because a line break would move what is replaced. */
export function liveText(io: Pick<Io, 'error' | 'columns'>) {
  let shown = 0
  const clear = () => {
    if (shown > 0) io.error(`\u001b[${shown}A\u001b[J`)
    shown = 0
  }
  return {
    clear,
    show(text: string) {
      const lines = visibleLines(text).trimEnd().split('\n')
      clear()
      io.error(`${lines.map((line) => [...line].slice(0, io.columns - 1).join('')).join('\n')}\n`)
      shown = lines.length
    },
  }
}
