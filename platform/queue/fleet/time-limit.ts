/** How long a worker needs for its start. */
const startSeconds = 60

/** The seconds of a time limit as Slurm writes it: `90`, `90:30`, `8:00:00`, `2-12`, `2-12:30`. Null for no limit. */
export function secondsOfTimeLimit(text: string): number | null {
  if (/^(-1|infinite|unlimited)$/i.test(text)) return null
  const [, days, clock = ''] = /^(?:(\d+)-)?(\d+(?::\d+){0,2})$/.exec(text) ?? []
  if (clock === '')
    throw new Error(`--time ${text} is not a time limit of Slurm, such as 90 (minutes), 8:00:00 or 2-12`)
  const parts = clock.split(':').map(Number)
  if (days !== undefined) return Number(days) * 86_400 + secondsOf(parts)
  return secondsOf(parts.length === 3 ? parts : [0, ...parts])
}

/** Of hours, minutes and seconds. */
const secondsOf = ([hours = 0, minutes = 0, seconds = 0]: number[]) => hours * 3600 + minutes * 60 + seconds

/** Slurm would signal such workers as soon as they start, and the fleet would submit them again and again. */
export function refuseShortLimit(time: string, drainSeconds: number) {
  const seconds = secondsOfTimeLimit(time)
  if (seconds !== null && seconds < drainSeconds + 2 * startSeconds)
    throw new Error(
      `--time ${time} is too short: workers stop claiming runs ${drainSeconds} s before the limit (--drain-seconds). Use a longer --time or fewer --drain-seconds`,
    )
}
