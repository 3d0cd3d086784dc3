const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** `1 run`, `2 runs`. */
export const counted = (value: number, noun: string, plural = `${noun}s`) =>
  `${whole.format(value)} ${value === 1 ? noun : plural}`
