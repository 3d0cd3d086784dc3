import { Link } from 'react-router'

import { paths } from '#src/paths.ts'
import classes from './TemplateGallery.module.css'
import type { Template } from './templates.ts'
import { hasDraft } from './use-draft.ts'

/** The templates for a new experiment. Drafts from other templates are kept. */
export const TemplateGallery = ({ templates, shown }: { templates: readonly Template[]; shown: string }) => (
  <nav aria-label="Templates" className={classes.gallery}>
    {templates.map(({ id, name, description, shape }) => (
      <Link
        key={id}
        className={classes.template}
        to={paths.template(id)}
        aria-current={id === shown ? 'page' : undefined}
        preventScrollReset
      >
        <b className={classes.name}>{name}</b>
        <span className={classes.about}>
          <span className={classes.description}>{description}</span>
          <span className={classes.shape}>
            {shape}
            {id !== shown && hasDraft(`new.${id}`) && ' · unsaved changes'}
          </span>
        </span>
      </Link>
    ))}
  </nav>
)
