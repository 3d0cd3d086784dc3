/**
 * Whether a text names a time zone, such as Europe/Berlin. An offset such as `+02:00` is no name: databases read its
 * sign the other way.
 */
export function isTimeZone(name: string) {
  try {
    return /^[a-z]/i.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export const notTimeZone = 'must be the name of a time zone, such as Europe/Berlin'
