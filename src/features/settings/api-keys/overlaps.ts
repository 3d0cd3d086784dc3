/** How long both keys of a rotation work, in hours. */
export const overlaps = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'In 1 hour' },
  { value: '24', label: 'In 24 hours' },
  { value: '72', label: 'In 3 days' },
  { value: '168', label: 'In 7 days' },
]

/** `The old key expires in 24 hours.` */
export const describeOverlap = (hours: string) =>
  `The old key expires ${overlaps.find(({ value }) => value === hours)?.label.toLowerCase() ?? `in ${hours} hours`}.`
