insert into customers (name, contact, email, phone, city, credit_limit_cents) values
  ('Aldgate Bakery', 'Priya Nair', 'accounts@aldgatebakery.example', '+44 20 7946 0112', 'London', 500000),
  ('Northwind Hotels', 'Jonas Keller', 'finance@northwind-hotels.example', '+49 30 5550 1840', 'Berlin', 2500000),
  ('Cedar & Stone Architects', 'Elena Ruiz', 'office@cedarstone.example', '+34 91 555 0147', 'Madrid', 1200000),
  ('Dunmore Dental', 'Dr Aoife Walsh', 'practice@dunmoredental.example', '+353 1 555 0163', 'Dublin', 400000),
  ('Eastgate Cycles', 'Marek Novak', 'shop@eastgatecycles.example', '+420 2 5550 1129', 'Prague', 350000),
  ('Fernhill School', 'Margaret Osei', 'bursar@fernhill.example', '+44 117 496 0155', 'Bristol', 1500000),
  ('Gallery Nine', 'Luc Moreau', 'bonjour@gallerynine.example', '+33 1 55 50 01 98', 'Paris', 600000),
  ('Hartmann Logistics', 'Sabine Hartmann', 'billing@hartmann-logistics.example', '+49 40 5550 2210', 'Hamburg', 3000000);

insert into invoices (number, customer_id, subject, amount_cents, issued_on, due_on, status, paid_on, void_reason, reminders)
select number, customers.id, subject, amount_cents, current_date - issued, current_date - issued + 30, status,
       case when status = 'paid' then current_date - settled end, reason, reminders
from (values
  ('INV-1039', 'Hartmann Logistics', 'Warehouse shelving, phase 1', 1845000, 92, 'paid', 61, null, 0),
  ('INV-1040', 'Fernhill School', 'Classroom furniture', 972050, 81, 'paid', 55, null, 1),
  ('INV-1041', 'Aldgate Bakery', 'Display counters', 128400, 74, 'open', 0, null, 2),
  ('INV-1042', 'Northwind Hotels', 'Lobby seating', 1420000, 62, 'open', 0, null, 1),
  ('INV-1043', 'Gallery Nine', 'Track lighting', 236500, 58, 'void', 0, 'Ordered twice', 0),
  ('INV-1044', 'Dunmore Dental', 'Reception desk', 318900, 49, 'open', 0, null, 1),
  ('INV-1045', 'Cedar & Stone Architects', 'Meeting room tables', 540000, 41, 'open', 0, null, 0),
  ('INV-1046', 'Eastgate Cycles', 'Workshop benches', 89950, 34, 'paid', 6, null, 0),
  ('INV-1047', 'Hartmann Logistics', 'Warehouse shelving, phase 2', 1290000, 27, 'open', 0, null, 0),
  ('INV-1048', 'Northwind Hotels', 'Terrace furniture', 763500, 20, 'open', 0, null, 0),
  ('INV-1049', 'Gallery Nine', 'Track lighting', 241000, 15, 'open', 0, null, 0),
  ('INV-1050', 'Aldgate Bakery', 'Kitchen trolleys', 67300, 9, 'open', 0, null, 0),
  ('INV-1051', 'Fernhill School', 'Library shelves', 455000, 4, 'open', 0, null, 0),
  ('INV-1052', 'Eastgate Cycles', 'Display stands', 124000, 1, 'open', 0, null, 0)
) as seed (number, customer, subject, amount_cents, issued, status, settled, reason, reminders)
join customers on customers.name = seed.customer;

insert into tasks (title, customer_id, due_on, done_on, created_by)
select title, customers.id, current_date + due, case when done then current_date + due - 1 end, 'Maja Lind'
from (values
  ('Send the signed contract to Northwind Hotels', 'Northwind Hotels', -6, true),
  ('Collect the returned lighting from Gallery Nine', 'Gallery Nine', -3, true),
  ('Ask Aldgate Bakery about the unpaid counters', 'Aldgate Bakery', -1, false),
  ('Check the delivery date with Hartmann Logistics', 'Hartmann Logistics', 1, false),
  ('Prepare the quote for Fernhill''s sports hall', 'Fernhill School', 3, false),
  ('Update the price list for spring', null, 6, false),
  ('Plan the stock count', null, 12, false)
) as seed (title, customer, due, done)
left join customers on customers.name = seed.customer;
