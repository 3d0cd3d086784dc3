import { SingleBar } from 'cli-progress'

import type { Progress } from '#platform/program/operator/command.ts'

/** Shows a bar on stderr, only in a terminal: stdout contains nothing but the result. */
export function progressBar() {
  let bar: SingleBar | undefined
  return {
    show({ done, total, label }: Progress) {
      if (!process.stderr.isTTY || total === undefined) return
      if (!bar) {
        bar = new SingleBar({ format: `{bar} {value}/{total} ${label} · {eta_formatted} left`, hideCursor: true })
        bar.start(total, done)
      }
      bar.setTotal(total)
      bar.update(done)
    },
    stop: () => bar?.stop(),
  }
}
