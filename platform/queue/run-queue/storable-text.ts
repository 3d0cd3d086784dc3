/** Replaces NUL, the only character PostgreSQL rejects in text, with the replacement character. */
export const toStorableText = (text: string) => text.replaceAll('\0', '\uFFFD')
