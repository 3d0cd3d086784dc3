/** The first eight characters of a UUID or hash are enough on a page. The full id is available on hover and copy. */
export const shortId = (id: string) => (/^[0-9a-f-]{20,}$/i.test(id) ? id.slice(0, 8) : id)

/** A variant or a group of variants for people, `careful · terse`. Its id, which the API takes, is `careful~terse`. */
export const nameOfAxes = (id: string) => id.replaceAll('~', ' · ')
