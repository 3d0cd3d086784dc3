import { emptyValue } from './numbers.ts'

/** `340 ms`, `12.4 s`, `3 m 05 s`, `2 h 10 m`. */
export function seconds(value: number | null): string {
  if (value === null) return emptyValue
  if (value < 1) return `${Math.round(value * 1000)} ms`
  if (value < 60) return `${value < 10 ? value.toFixed(1) : Math.floor(value)} s`
  const total = Math.floor(value)
  const pad = (part: number) => String(part).padStart(2, '0')
  if (total < 3600) return `${Math.floor(total / 60)} m ${pad(total % 60)} s`
  return `${Math.floor(total / 3600)} h ${pad(Math.floor((total % 3600) / 60))} m`
}

export const milliseconds = (value: number | null) => seconds(value === null ? null : value / 1000)
