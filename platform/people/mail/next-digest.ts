import { Cron } from 'croner'

/**
 * The next time of a person's daily digest. An hour that their clock skips in spring is the one behind the gap, and one
 * that comes twice in autumn counts once.
 */
export function nextDigest({ digestHour, timeZone }: { digestHour: number; timeZone: string }, after: string): string {
  const next = new Cron(`0 ${digestHour} * * *`, { timezone: timeZone, mode: '5-part' }).nextRun(new Date(after))
  if (!next) throw new Error('A daily time has no next day')
  return next.toISOString().replace('Z', '000Z')
}
