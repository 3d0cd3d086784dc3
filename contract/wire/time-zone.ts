/** Whether a text names a time zone, such as Europe/Berlin. */
export function isTimeZone(name: string) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export const notTimeZone = 'must be the name of a time zone, such as Europe/Berlin'
