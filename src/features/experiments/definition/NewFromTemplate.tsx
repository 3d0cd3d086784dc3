import { asCopy } from './as-copy.ts'
import { NewExperiment } from './NewExperiment.tsx'
import { TemplateGallery } from './TemplateGallery.tsx'
import { templates } from './templates.ts'

/** Starts from a template. */
export function NewFromTemplate({ asked }: { asked: string }) {
  const template = templates.find(({ id }) => id === asked) ?? templates[0]
  if (!template) return <NewExperiment about="new." start="" title="New experiment" />
  const { id, text } = template
  return (
    <NewExperiment
      key={id}
      about={`new.${id}`}
      start={asCopy(text, id)}
      title="New experiment"
      choice={<TemplateGallery templates={templates} shown={id} />}
    />
  )
}
