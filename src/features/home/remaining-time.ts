import { counted } from '#src/format/numbers.ts'

type Progress = { runCount: number; finishedCount: number; startedAt?: string | undefined }

/** `about 4 minutes left`, at the pace of the finished runs. Undefined until one has finished. */
export function remainingTime({ runCount, finishedCount, startedAt }: Progress, now: number): string | undefined {
  if (startedAt === undefined || finishedCount === 0) return undefined
  const perRun = Math.max(0, now - Date.parse(startedAt)) / finishedCount
  const minutes = (perRun * (runCount - finishedCount)) / 60_000
  if (minutes < 1) return 'less than a minute left'
  if (minutes < 90) return `about ${counted(Math.round(minutes), 'minute')} left`
  return `about ${counted(Math.round(minutes / 60), 'hour')} left`
}
