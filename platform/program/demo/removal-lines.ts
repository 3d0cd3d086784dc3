export const plural = (count: number, noun: string) =>
  `${count} ${count === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`

export const removed = (count: number, noun: string) => `Removed ${plural(count, noun)}`

export const removedSome = (count: number, noun: string) => (count > 0 ? [removed(count, noun)] : [])
