import { InvalidArgumentError, Option } from 'commander'

/** Reads an option that may be repeated: commander gives each value with those before it. */
export const collect = (value: string, earlier: string[] = []) => [...earlier, value]

/** An option that may be repeated and has only these values, which completions offer. */
export const choice = (flags: string, description: string, values: readonly string[]) =>
  new Option(flags, description).choices(values).argParser((value, earlier: string[] | undefined) => {
    if (values.includes(value)) return collect(value, earlier)
    throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`)
  })
