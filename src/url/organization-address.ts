import { splitOrganizationPath } from '#contract/organization-path.ts'

/** What every address of this page begins with. It never changes while the page lives: another organization is another page. */
export const addressBase = () => splitOrganizationPath(window.location.pathname).base
