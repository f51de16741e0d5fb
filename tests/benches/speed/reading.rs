//! Goals 2 and 3: one skill read, alone and 32 at a time, over both transports, each alternating with servers that
//! give every call the same answer.

use std::{path::Path, time::Instant};

use tests::goals::{Figure, Goal};

use crate::{
    client, http, library, limits,
    measure::{milliseconds, percentile, processor_time, timed},
    parts::{get, settled},
};

/// The number of concurrent requests.
const TOGETHER: usize = 32;
const ROUNDS: usize = 10;

/// A server under measurement.
trait Asked {
    /// Sends one request and waits for its answer. Returns its length in bytes.
    fn ask(&mut self, request: &str) -> usize;
    /// Keeps [`TOGETHER`] requests open. Returns the duration of each.
    fn ask_many(&mut self, requests: &[String]) -> Vec<f64>;
    fn process(&self) -> u32;
}

struct Row {
    name: String,
    server: Box<dyn Asked>,
    skills: usize,
    alone: Vec<f64>,
    together: Vec<f64>,
    rates: Vec<f64>,
    cpu: Vec<f64>,
}

pub(crate) fn over_stdio() {
    let (few, many) = (library::make(100), library::make(10_000));
    let rows = table(vec![
        row("a constant answer", Box::new(limits::constant()), 1),
        row("rmcp, a constant answer", Box::new(limits::constant_rmcp()), 1),
        row("100 skills", Box::new(settled(few.path())), 100),
        row("10,000 skills", Box::new(settled(many.path())), 10_000),
    ]);
    let [_, rmcp, few, many] = rows.as_slice() else { return };
    let goal = |what: &str, measured, unit, goal| Figure::of(format!("read over stdio, {what}"), measured, unit, goal);
    goal("p50", many.alone, "ms", Goal::Times(1.2)).beside("rmcp's constant", rmcp.alone).tell();
    goal("p50 beside 100 skills", many.alone, "ms", Goal::Times(1.15)).beside("100 skills", few.alone).tell();
    goal("32 at a time", many.rate, "a second", Goal::AtLeast(14_000.0)).beside("rmcp's constant", rmcp.rate).tell();
}

pub(crate) fn over_http() {
    let (few, many) = (library::make(100), library::make(10_000));
    let mut rows = vec![row("axum, a constant answer", on(http::Server::constant("axum"), http::Era::Session), 1)];
    for era in [http::Era::Session, http::Era::Stateless] {
        let constant = on(http::Server::constant("http"), era);
        rows.push(row(&format!("rmcp, a constant answer, {era}"), constant, 1));
        rows.push(row(&format!("100 skills, {era}"), skilltender(few.path(), era), 100));
        rows.push(row(&format!("10,000 skills, {era}"), skilltender(many.path(), era), 10_000));
    }
    let rows = table(rows);
    let axum = &rows[0];
    for (era, rows) in ["2025-11-25", "2026-07-28"].iter().zip(rows[1..].chunks(3)) {
        let [rmcp, few, many] = rows else { return };
        let goal = |what: &str, measured, unit, goal| {
            Figure::of(format!("read over HTTP, {era}, {what}"), measured, unit, goal)
        };
        goal("p50", many.alone, "ms", Goal::Times(1.2)).beside("rmcp's constant", rmcp.alone).tell();
        goal("p50 beside axum", many.alone, "ms", Goal::Times(2.0)).beside("axum's constant", axum.alone).tell();
        goal("p50 beside 100 skills", many.alone, "ms", Goal::Times(1.15)).beside("100 skills", few.alone).tell();
        let p99 = goal("p99 of 32 at a time", many.late, "ms", Goal::AtMostOrTimes(3.0, 1.3));
        p99.beside("axum's constant", axum.late).tell();
        goal("32 at a time", many.rate, "a second", Goal::Share(0.8)).beside("axum's constant", axum.rate).tell();
    }
}

/// What one row comes to: milliseconds, and requests a second.
struct Told {
    alone: f64,
    /// The 99th percentile of those that were open together.
    late: f64,
    rate: f64,
}

fn row(name: &str, server: Box<dyn Asked>, skills: usize) -> Row {
    let name = name.to_owned();
    Row { name, server, skills, alone: vec![], together: vec![], rates: vec![], cpu: vec![] }
}

fn table(mut rows: Vec<Row>) -> Vec<Told> {
    for round in 0..ROUNDS {
        for row in &mut rows {
            row.measure(round);
        }
    }
    println!("| | p50, ms | p99, ms | p99 of 32 at a time, ms | requests a second | processor time of each, us |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let told = |Row { name, alone, together, rates, cpu, .. }: &mut Row| {
        let told = Told { alone: percentile(alone, 50), late: percentile(together, 99), rate: percentile(rates, 50) };
        let (late, each) = (percentile(alone, 99), percentile(cpu, 50));
        println!("| {name} | {:.3} | {late:.3} | {:.2} | {:.0} | {each:.0} |", told.alone, told.late, told.rate);
        told
    };
    rows.iter_mut().map(told).collect()
}

impl Row {
    fn measure(&mut self, round: usize) {
        const ALONE: usize = 200;
        const MANY: usize = 2_000;
        let request = |number: usize| get(number % self.skills);
        for number in 0..ALONE {
            let request = request(round * ALONE + number);
            let (time, length) = timed(|| self.server.ask(&request));
            assert!(length > 400, "an answer");
            self.alone.push(time);
        }
        let requests: Vec<_> = (0..MANY).map(|number| request(round * MANY + number)).collect();
        let (before, start) = (processor_time(self.server.process()), Instant::now());
        self.together.extend(self.server.ask_many(&requests));
        self.rates.push(MANY as f64 / start.elapsed().as_secs_f64());
        self.cpu.push((processor_time(self.server.process()) - before) * 1e3 / MANY as f64);
    }
}

impl Asked for client::Client {
    fn ask(&mut self, request: &str) -> usize {
        self.ask(request).len()
    }

    fn ask_many(&mut self, requests: &[String]) -> Vec<f64> {
        let (mut sent, mut took) = (Vec::new(), Vec::new());
        for number in 0..requests.len() + TOGETHER {
            if number >= TOGETHER {
                self.next();
                took.push(milliseconds(Instant::elapsed(&sent[number - TOGETHER])));
            }
            if let Some(request) = requests.get(number) {
                sent.push(Instant::now());
                self.request(request);
            }
        }
        took
    }

    fn process(&self) -> u32 {
        self.id()
    }
}

struct OverHttp {
    client: http::Client,
    server: http::Server,
}

fn on(server: http::Server, era: http::Era) -> Box<OverHttp> {
    Box::new(OverHttp { client: http::Client::new(&server, era, TOGETHER), server })
}

fn skilltender(skills: &Path, era: http::Era) -> Box<OverHttp> {
    let server = http::Server::skilltender(skills);
    crate::parts::wait_until_watched(server.id(), Instant::now());
    on(server, era)
}

impl Asked for OverHttp {
    fn ask(&mut self, request: &str) -> usize {
        self.client.send(0, request);
        self.client.receive(0);
        self.client.body().len()
    }

    fn ask_many(&mut self, requests: &[String]) -> Vec<f64> {
        let (mut sent, mut took) = ([Instant::now(); TOGETHER], Vec::new());
        for number in 0..requests.len() + TOGETHER {
            let connection = number % TOGETHER;
            if number >= TOGETHER {
                self.client.receive(connection);
                took.push(milliseconds(sent[connection].elapsed()));
            }
            if let Some(request) = requests.get(number) {
                sent[connection] = Instant::now();
                self.client.send(connection, request);
            }
        }
        took
    }

    fn process(&self) -> u32 {
        self.server.id()
    }
}
