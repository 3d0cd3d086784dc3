import { MultiFilter } from './MultiFilter.tsx'

type Props = {
  label: string
  options: readonly string[]
  value: string | undefined
  onChange: (value: string | undefined) => void
  labelOf?: (value: string) => string
}

/** A filter with one value; selecting another replaces it. */
export const SingleFilter = ({ value, onChange, ...props }: Props) => (
  <MultiFilter
    {...props}
    value={value === undefined ? [] : [value]}
    onChange={(values) => onChange(values.findLast((chosen) => chosen !== value))}
  />
)
