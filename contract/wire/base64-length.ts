/** The number of characters that so many bytes have in base64. */
export const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4
