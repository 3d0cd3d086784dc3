import { splitOrganizationPath } from '#contract/organization-path.ts'

/** What every address of this page begins with. It never changes while the page lives: another organization is another page. */
export const addressBase = () => splitOrganizationPath(window.location.pathname).base

/** The whole address of a page of ours, as another browser opens it. */
export const absoluteAddress = (path: string) => window.location.origin + addressBase() + path
