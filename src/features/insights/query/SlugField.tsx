import { TextInput } from '@mantine/core'

import { InsightSlug } from '#contract/insight-fields.ts'

type Props = { value: string; onChange: (slug: string) => void; heading: string }

/** The name in addresses, which never changes; left empty, the server makes one of the heading. */
export const SlugField = ({ value, onChange, heading }: Props) => (
  <TextInput
    label="Slug"
    description="Permanent API name. Leave empty to generate it from the title."
    placeholder={suggested(heading)}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value.trim())}
    error={value === '' ? undefined : InsightSlug.safeParse(value).error?.issues[0]?.message}
    spellCheck={false}
  />
)

const suggested = (heading: string) =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
