import { createFileRoute } from '@tanstack/react-router';

/** Addresses of sections that do not exist; the guard of the profile redirects them. */
export const Route = createFileRoute('/_signed-in/profile/$section')({});
