/** The first eight characters of a UUID or hash are enough on a page. The full id is available on hover and copy. */
export const shortId = (id: string) => (/^[0-9a-f-]{20,}$/i.test(id) ? id.slice(0, 8) : id)
