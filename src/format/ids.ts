/** The first eight characters of a UUID or hash tell it apart on a page; the whole is on hover and on copy. */
export const shortId = (id: string) => (/^[0-9a-f-]{20,}$/i.test(id) ? id.slice(0, 8) : id)
