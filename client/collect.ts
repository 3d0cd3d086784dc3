/** Reads an option that may be repeated: commander gives each value with those before it. */
export const collect = (value: string, earlier: string[] = []) => [...earlier, value]
