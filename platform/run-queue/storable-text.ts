/** Text as PostgreSQL takes it: NUL, the one character it refuses, becomes the replacement character. */
export const toStorableText = (text: string) => text.replaceAll('\0', '\uFFFD')
