export const linesOf = (text: string) => text.split(/[\s,]+/).filter((line) => line !== '')

export const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))
