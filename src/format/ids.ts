/**
 * Eight characters of a UUID or hash are enough on a page. The full id is available on hover and copy. A UUID starts with
 * the time, which ids of the same minute share, so its last characters tell it apart.
 */
export function shortId(id: string) {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id.slice(-8)
  return /^[0-9a-f]{20,}$/i.test(id) ? id.slice(0, 8) : id
}

/** A variant or a group of variants for people, `careful · terse`. Its id, which the API takes, is `careful~terse`. */
export const nameOfAxes = (id: string) => id.replaceAll('~', ' · ')
