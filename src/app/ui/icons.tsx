import type { ReactNode } from 'react';

function Icon({ children, size = 16 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      {children}
    </svg>
  );
}

export const CloseIcon = ({ size = 16 }: { size?: number }) => (
  <Icon size={size}>
    <path d="M4 4l8 8M12 4l-8 8" />
  </Icon>
);
export const HomeIcon = () => (
  <Icon size={20}>
    <path d="M2.5 7.5L8 3l5.5 4.5V13h-4V9.5h-3V13h-4z" />
  </Icon>
);
export const OrganizationsIcon = () => (
  <Icon size={20}>
    <path d="M6.5 2.5h3v3h-3zM2.5 10.5h3v3h-3zM10.5 10.5h3v3h-3zM8 5.5V8M4 10.5V8h8v2.5" />
  </Icon>
);
export const ClientsIcon = () => (
  <Icon size={20}>
    <path d="M2.5 13V5.5H8V13M8 13V2.5h5.5V13M1.5 13h13M4.5 8h1.5M4.5 10.5h1.5M10 5.5h1.5M10 8h1.5M10 10.5h1.5" />
  </Icon>
);
export const UsersIcon = () => (
  <Icon size={20}>
    <circle cx="6" cy="5.5" r="2.5" />
    <path d="M1.8 13.5c.3-2.6 2-4 4.2-4s3.9 1.4 4.2 4M10.5 3.3a2.4 2.4 0 0 1 0 4.4M11.6 9.8c1.5.5 2.4 1.8 2.6 3.7" />
  </Icon>
);
export const AuditIcon = () => (
  <Icon size={20}>
    <path d="M3.5 2.5h7l2 2v9h-9zM6 6.5h4M6 9h4M6 11.5h2.5" />
  </Icon>
);
export const SystemIcon = () => (
  <Icon size={20}>
    <path d="M1.5 8.5h3l2-5 3 9 2-4h3" />
  </Icon>
);
export const SupportIcon = () => (
  <Icon size={20}>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M6.5 6.5a1.5 1.5 0 1 1 1.5 2v.5M8 11.2v.1" />
  </Icon>
);
export const CollapseIcon = () => (
  <Icon size={20}>
    <path d="M9 4.5L5.5 8 9 11.5M13 4.5L9.5 8l3.5 3.5M3 3.5v9" />
  </Icon>
);
export const ExpandIcon = () => (
  <Icon size={20}>
    <path d="M7 4.5L10.5 8 7 11.5M3 4.5L6.5 8 3 11.5M13 3.5v9" />
  </Icon>
);
export const MenuIcon = () => (
  <Icon size={20}>
    <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />
  </Icon>
);
export const DownIcon = () => (
  <Icon size={12}>
    <path d="M4 6l4 4 4-4" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon size={14}>
    <circle cx="7" cy="7" r="4" />
    <path d="M10 10l3.5 3.5" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon size={12}>
    <path d="M3 8.5l3.5 3.5L13 4.5" strokeWidth="2.5" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon size={14}>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 3.5v-1h-8v8h1" />
  </Icon>
);
export const UserIcon = () => (
  <Icon size={20}>
    <circle cx="8" cy="5.5" r="2.5" />
    <path d="M3 13.5c.5-2.6 2.5-4 5-4s4.5 1.4 5 4" />
  </Icon>
);
export const OutboxIcon = ({ size = 18 }: { size?: number }) => (
  <Icon size={size}>
    <path d="M2.5 9.5h3l1 1.5h3l1-1.5h3v4h-11zM8 8V2.5M5.5 5L8 2.5 10.5 5" />
  </Icon>
);
export const FilterIcon = () => (
  <Icon size={14}>
    <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />
  </Icon>
);
export const AscendingIcon = () => (
  <Icon size={12}>
    <path d="M8 13V3M4.5 6.5L8 3l3.5 3.5" />
  </Icon>
);
export const DescendingIcon = () => (
  <Icon size={12}>
    <path d="M8 3v10M4.5 9.5L8 13l3.5-3.5" />
  </Icon>
);
export const SortIcon = () => (
  <Icon size={14}>
    <path d="M5 3v10M2.5 10.5L5 13l2.5-2.5M11 13V3M8.5 5.5L11 3l2.5 2.5" />
  </Icon>
);
export const ColumnsIcon = () => (
  <Icon size={14}>
    <path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />
  </Icon>
);
export const PinIcon = () => (
  <Icon size={14}>
    <path d="M5.5 2.5h5M6.5 2.5v4L4 9.5h8L9.5 6.5v-4M8 9.5v4" />
  </Icon>
);
export const GripIcon = () => (
  <Icon size={14}>
    <path d="M6 4v.01M10 4v.01M6 8v.01M10 8v.01M6 12v.01M10 12v.01" strokeWidth="2" />
  </Icon>
);
export const MoveUpIcon = () => (
  <Icon size={12}>
    <path d="M4 10l4-4 4 4" />
  </Icon>
);
export const MoveDownIcon = () => (
  <Icon size={12}>
    <path d="M4 6l4 4 4-4" />
  </Icon>
);
export const EditIcon = () => (
  <Icon size={14}>
    <path d="M3 13l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4zM9.6 4.2l2.2 2.2" />
  </Icon>
);
export const LinkIcon = () => (
  <Icon size={14}>
    <path d="M6.8 9.2a2.6 2.6 0 0 0 3.8.1l2-2a2.6 2.6 0 0 0-3.7-3.7l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.8-.1l-2 2a2.6 2.6 0 0 0 3.7 3.7l.8-.8" />
  </Icon>
);
export const TrashIcon = () => (
  <Icon size={14}>
    <path d="M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M6.8 7v4M9.2 7v4" />
  </Icon>
);
export const ClockIcon = () => (
  <Icon size={14}>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 5v3.2l2 1.3" />
  </Icon>
);
export const SendIcon = () => (
  <Icon size={14}>
    <path d="M8 13.5V3M4 7l4-4 4 4" />
  </Icon>
);
export const UnknownIcon = () => (
  <Icon size={14}>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M6.5 6.5a1.5 1.5 0 1 1 1.5 2v.5M8 11.2v.1" />
  </Icon>
);
export const WarningIcon = () => (
  <Icon size={14}>
    <path d="M8 2.5l6 11H2zM8 6.5v3M8 11.5v.1" />
  </Icon>
);
export const PauseIcon = () => (
  <Icon size={14}>
    <path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth="2" />
  </Icon>
);
export const LockIcon = () => (
  <Icon size={14}>
    <path d="M3.5 7.5h9v6h-9zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2" />
  </Icon>
);
