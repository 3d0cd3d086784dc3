import { TextInput } from '@mantine/core'

import type { Form } from '#src/forms/use-form.ts'

/** The name in the API, which never changes. If it is empty, the server makes one from the heading. */
export const SlugField = ({ form }: { form: Form<{ slug: string; heading: string }> }) => (
  <TextInput
    label="Slug"
    description="Permanent API name. Leave empty to generate it from the title."
    placeholder={suggested(form.values.heading)}
    {...form.getInputProps('slug')}
    onChange={(event) => form.setFieldValue('slug', event.currentTarget.value.trim())}
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
