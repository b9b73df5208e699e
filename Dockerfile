# samestory with the portal, feeds and PostgreSQL: compose.yaml shows how the parts work together.
FROM rust:1.90-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3-dev python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY requirements/build.txt requirements/
RUN python3 -m venv /venv && /venv/bin/pip install --no-cache-dir --requirement requirements/build.txt
COPY . .
RUN /venv/bin/maturin build --release --out /wheels

FROM python:3.13-slim-bookworm
COPY requirements/release.txt /tmp/
RUN pip install --no-cache-dir --requirement /tmp/release.txt && rm /tmp/release.txt
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-deps /wheels/*.whl && rm -r /wheels \
    && useradd --create-home --uid 1000 news && mkdir /data && chown news /data
USER news
WORKDIR /data
VOLUME /data
EXPOSE 8000
ENTRYPOINT ["samestory"]
CMD ["portal", "/data/news.db", "--host", "0.0.0.0"]
