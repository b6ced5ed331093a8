import { Link } from '@tanstack/react-router';
import { EmptyState } from '#app/ui/states.tsx';

export function NotFoundScreen() {
  return (
    <EmptyState
      title="There is no such page"
      actions={
        <Link to="/home" className="font-medium text-link underline">
          Go to Home
        </Link>
      }
    >
      The address may be mistyped, or it belongs to a screen this version does not have.
    </EmptyState>
  );
}
